import Conversation
import Wire

/// What a reader will see of an answer, as far as the lines of long texts depend on it.
struct Sight {
    /// How high the screen is.
    let screen: Int32
    let start: Start
    /// Lines that are asked for by themselves.
    var wanted: WantedLines?

    /// Where the reader begins.
    enum Start {
        /// At the top of the screen.
        case y(Int64)
        /// At the top of each row, or at its bottom.
        case top, bottom
    }

    init(_ window: Window, from start: Start, wanted: WantedLines? = nil) {
        screen = window.screen > 0 ? window.screen : WindowOpening.standardScreen
        (self.start, self.wanted) = (start, wanted)
    }
}

/// Where the lines of a row stand that has more of them than any screen, in each of its states.
struct LongText {
    private let states: [LayoutRows.StateStacks]
    private let height: Int32

    /// Twenty screens have more.
    private static let mostLines = 32

    /// Nil for a row of few lines.
    init?(_ page: borrowing LayoutRows) {
        guard page.lines.count > Self.mostLines else { return nil }
        states = page.lineStacks()
        height = states.map(\.height).max() ?? 0
    }

    /// The lines that come first; nil where all do.
    func first(for sight: Sight, from top: Int64) -> Range<Int>? {
        guard ScreenChunks.isLong(height, on: sight.screen), let collapsed = states.first, let last = states.last else {
            return nil
        }
        guard ScreenChunks.isLong(collapsed.height, on: sight.screen) else {
            // Whoever expands it begins at its top.
            return 0..<ScreenChunks.first(of: last.stacks, seen: 0..<sight.screen).upperBound
        }
        let lowest = Int64(collapsed.height - sight.screen)
        let start =
            switch sight.start {
            case .top: 0 as Int64
            case .bottom: lowest
            case .y(let y): max(0, min(lowest, y.subtractingReportingOverflow(top).partialValue))
            }
        return ScreenChunks.first(of: collapsed.stacks, seen: Int32(start)..<Int32(start) + sight.screen)
    }
}
