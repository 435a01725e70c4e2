/// The updates of a window, one for everything between two frames. They are for one reader: an update that one reader
/// has taken does not come to another.
public struct Updates: AsyncSequence, Sendable {
    private let session: WindowSession

    init(_ session: WindowSession) { self.session = session }

    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    public struct Iterator: AsyncIteratorProtocol {
        let session: WindowSession

        /// Nil when the window was closed.
        /// - Throws: `WindowError` when the window is lost for good.
        public mutating func next() async throws -> Update? { try await session.update() }
    }
}
