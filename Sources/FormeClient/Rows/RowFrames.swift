import Bytes
import Conversation
import Names
import Record
import Wire

/// Reads the frames of rows, in memory that is used again. It remembers rows until several hundred others have been
/// read, so that scrolling to and fro reads nothing twice.
///
///     for frame in frames.frames(of: window[i]) { view(for: frame).apply(frame) }
///
/// It belongs to the thread that uses it; another one has its own.
public final class RowFrames {
    private var page = LayoutRows()
    /// The places of rows in the page, by the last bits of their numbers: of two rows with the same bits, one is
    /// remembered.
    private var known = [Known](repeating: .none, count: RowFrames.most)

    /// The current round. Everything of earlier rounds is forgotten.
    private var round = 1

    private struct Known {
        var round: Int
        var row: Int64
        var layout: [UInt8]
        /// The place in the page; -1 for a row that cannot be read.
        var place: Int

        static let none = Known(round: 0, row: 0, layout: [], place: -1)
    }

    /// The number of rows that are remembered at most: a power of two.
    private static let most = 512

    public init() {}

    /// Forgets all rows, and keeps the memory.
    public func removeAll() {
        page.removeAll()
        round += 1
    }

    /// The frames of a row in the order in which they are painted; none where it has no body. A row that can be
    /// expanded has two states.
    public func frames(of row: Row, isExpanded: Bool = false) -> [Frame] {
        let place = read(row.id.number, row.layout)
        guard place >= 0 else { return [] }
        return page.frames(of: place, isExpanded: isExpanded, in: row.decoration.content)
    }

    /// Facts about the row as a whole; nil where it has no body.
    public func summary(of row: Row, isExpanded: Bool = false) -> RowSummary? {
        let place = read(row.id.number, row.layout)
        guard place >= 0, !page.rows[place].states.isEmpty else { return nil }
        return page.summary(of: place, isExpanded: isExpanded)
    }

    /// Reads rows before they are shown, for half a microsecond a row, and no memory once it has grown.
    public func prepare(_ rows: Range<Int>, of window: Window) {
        guard let mirror = window.mirror else { return }
        for i in rows {
            let row = mirror.rows[i]
            if let body = row.body { _ = read(row.number.number, body.layout) }
        }
    }

    /// The place of a row in the page; -1 for a row that shows nothing.
    private func read(_ row: Int64, _ layout: [UInt8]) -> Int {
        guard !layout.isEmpty else { return -1 }
        let slot = Int(truncatingIfNeeded: row) & (Self.most - 1)
        if known[slot].row == row, known[slot].round == round, known[slot].layout == layout {
            return known[slot].place
        }
        if page.rows.count >= Self.most { removeAll() }
        var place = page.rows.count
        // A row that cannot be read once is not read again.
        do throws(ByteError) { try page.append(layout) } catch { place = -1 }
        known[slot] = Known(round: round, row: row, layout: layout, place: place)
        return place
    }
}
