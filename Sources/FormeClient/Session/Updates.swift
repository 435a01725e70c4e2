/// What happens to a window, one update for all that happens between two frames. It is for one reader: what one has taken,
/// another does not see.
public struct Updates: AsyncSequence, Sendable {
    private let session: WindowSession

    init(_ session: WindowSession) { self.session = session }

    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    public struct Iterator: AsyncIteratorProtocol {
        let session: WindowSession

        /// Nil when the window was closed.
        /// - Throws: `WindowError` when it cannot be had any more.
        public mutating func next() async throws -> Update? { try await session.update() }
    }
}
