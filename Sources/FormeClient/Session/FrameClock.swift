/// A clock of the screen's frames. All changes of a window between two frames come as one update.
public struct FrameClock: Sendable {
    let next: @Sendable () async throws -> Void

    /// - Parameter next: returns when the next frame begins; an application asks its display link.
    public init(next: @escaping @Sendable () async throws -> Void) { self.next = next }

    /// A clock with frames of this length, for programs that draw nothing.
    public static func every(_ length: Duration) -> FrameClock {
        let start = ContinuousClock.now
        return FrameClock {
            let passed = ((ContinuousClock.now - start) / length).rounded(.down)
            try await ContinuousClock().sleep(until: start + length * (passed + 1))
        }
    }

    /// Sixty frames a second.
    public static let usual = every(.microseconds(16_667))
}
