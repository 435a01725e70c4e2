import Wire

/// Reads what is drawn in rows, in memory that is used again. A row that was read is remembered until several hundred others
/// have been, so that scrolling to and fro reads nothing twice.
///
///     for frame in frames.frames(of: window[i]) { view(for: frame).apply(frame) }
///
/// It belongs to the thread that uses it; another one has its own.
public final class RowFrames {
    private var page = LayoutRows()
    private var read: [RowID: Known] = [:]

    private struct Known {
        /// In the page; -1 for what cannot be read.
        var row: Int
        var layout: [UInt8]
    }

    private static let most = 512

    public init() {}

    /// Forgets what was read, and keeps its memory.
    public func removeAll() {
        page.removeAll()
        read.removeAll(keepingCapacity: true)
    }

    /// In the order in which they are painted; none where the row has no body. What can be expanded has two states.
    public func frames(of row: Row, isExpanded: Bool = false) -> [Frame] {
        let number = index(of: row)
        guard number >= 0 else { return [] }
        return page.frames(of: number, isExpanded: isExpanded, in: row.decoration.content)
    }

    /// Reads rows before they are shown. It costs half a microsecond a row, and no memory once it has grown.
    public func prepare(_ rows: Range<Int>, of window: Window) { for i in rows { _ = index(of: window[i]) } }

    private func index(of row: Row) -> Int {
        guard row.hasBody, !row.layout.isEmpty else { return -1 }
        if let known = read[row.id], known.layout == row.layout { return known.row }
        if page.rows.count >= Self.most || read.count >= Self.most {
            removeAll()
        }
        var number = page.rows.count
        // What cannot be read shows nothing; it is of no use to ask for it again.
        do throws(WireError) { try page.append(row.layout) } catch { number = -1 }
        read[row.id] = Known(row: number, layout: row.layout)
        return number
    }
}
