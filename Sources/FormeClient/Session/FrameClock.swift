/// When a screen is drawn next. Whatever happens to a window between two frames is told at once.
public struct FrameClock: Sendable {
    let next: @Sendable () async throws -> Void

    /// - Parameter next: returns when the next frame begins; an application asks its display link.
    public init(next: @escaping @Sendable () async throws -> Void) { self.next = next }

    /// Frames of this length, which is enough where nobody draws.
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
