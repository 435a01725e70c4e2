import Pool
import Wire

/// The figures of a worker until they are sent, which they are once a second.
struct FigureSending {
    var waiting = LayoutFigures()
    private var next = Moment.start

    private static let pause: Duration = .seconds(1)

    /// The figures that are due; nil where there are none, or they can wait.
    mutating func take(at now: Moment) -> LayoutFigures? {
        guard now >= next, let all = takeAll() else { return nil }
        next = now + Self.pause
        return all
    }

    mutating func takeAll() -> LayoutFigures? {
        guard !waiting.isEmpty else { return nil }
        defer { waiting = LayoutFigures() }
        return waiting
    }
}
