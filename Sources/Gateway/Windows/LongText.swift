import Bytes
import Conversation
import Record
import Wire

/// The reader's view of an answer, as far as the contents of rows depend on it.
struct Sight {
    /// The height of the screen.
    let screen: Int32
    let start: Start
    /// Lines that are asked for by themselves.
    var wanted: WantedLines?
    /// Whether rows name their edition, where it is not the window's.
    let namesEditions: Bool
    /// The newest version of rows that its client understands.
    let rowVersion: RowVersion

    /// The place at which the reader begins.
    enum Start {
        /// The y at the top of the screen.
        case y(Int64)
        /// The top of each row, or its bottom.
        case top, bottom
    }

    init(_ seat: Seat, from start: Start, wanted: WantedLines? = nil) {
        screen = seat.window.screen > 0 ? seat.window.screen : WindowOpening.standardScreen
        (namesEditions, rowVersion) = (seat.wantsEditions, seat.rowVersion)
        (self.start, self.wanted) = (start, wanted)
    }
}

/// A row that has more lines than any screen: their places in each of its states, and the cutting of some of them.
final class LongText {
    private let states: [LayoutRows.StateStacks]
    /// The height of the highest state.
    let height: Int32
    private let layout: [UInt8]
    /// The lines, found when they are first needed; nil for a row that cannot be cut, and is sent whole.
    private lazy var lines: RowLines? = {
        do throws(ByteError) { return try RowLines(layout) } catch { return nil }
    }()

    /// The number of lines above which a row is long; twenty screens have more.
    private static let mostLines = 32

    static func isOne(ofLines lines: Int) -> Bool { lines > mostLines }

    /// - Parameter page: memory to read the row in.
    init(_ layout: [UInt8], _ page: inout LayoutRows) throws(ByteError) {
        page.removeAll()
        try page.append(layout)
        self.layout = layout
        states = page.lineStacks()
        height = states.map(\.height).max() ?? 0
    }

    /// Returns the excerpt to be sent; nil where the whole row is.
    /// - Parameter top: the y at which its content begins.
    func excerpt(for sight: Sight, from top: Int64) -> [UInt8]? {
        if let wanted = sight.wanted, lines?.mark == wanted.mark { return lines?.excerpt(wanted.lines) }
        return first(for: sight, from: top).flatMap { lines?.excerpt($0) }
    }

    /// The lines that come first; nil where all do.
    private func first(for sight: Sight, from top: Int64) -> Range<Int>? {
        guard ScreenChunks.isLong(height, on: sight.screen), let collapsed = states.first, let last = states.last else {
            return nil
        }
        guard ScreenChunks.isLong(collapsed.height, on: sight.screen) else {
            // A reader that expands the row begins at its top.
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
