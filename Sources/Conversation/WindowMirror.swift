package import Names
package import Wire

/// A window as its client holds it: rows with their places, and nothing that has to be measured. It takes replies and
/// change sets, and then has the same rows as the gateway.
///
///     var mirror = try WindowMirror(reply)
///     try mirror.apply(changes)
///     for i in mirror.rows(in: offset..<offset + screen) { draw(mirror.rows[i], at: mirror.top(of: i) - offset) }
package struct WindowMirror: Equatable, Sendable {
    package private(set) var rows: [WindowRow] = []
    package private(set) var frame: WindowFrame
    /// The distance from the top of the first row to that of each row, and to the end of the last.
    private var distances: [Int64] = [0]

    package init(_ reply: WindowReply) throws(MirrorError) {
        guard reply.part == .whole else { throw .notAWindow }
        (rows, frame) = (reply.rows, reply.frame)
        settle()
    }

    /// Adds a page.
    package mutating func apply(_ reply: WindowReply) throws(MirrorError) {
        guard reply.frame.cursor == frame.cursor else { throw .outOfStep }
        switch reply.part {
        case .whole:
            let old = self
            rows = reply.rows
            keepLines(of: old)
        case .older: rows.insert(contentsOf: reply.rows, at: 0)
        case .newer: rows += reply.rows
        }
        frame = reply.frame
        settle()
    }

    /// Applies all changes, or none: a set that does not fit leaves the window as it was.
    package mutating func apply(_ set: ChangeSet) throws(MirrorError) {
        guard set.since == frame.cursor else { throw .outOfStep }
        var mirror = self
        for change in set.changes { try mirror.apply(change.kind) }
        mirror.frame = set.frame
        mirror.settle()
        self = mirror
    }

    /// Keeps the lines that another mirror has of rows that are excerpts here.
    package mutating func keepLines(of other: WindowMirror) {
        for i in rows.indices where rows[i].body?.isExcerpt ?? false {
            guard let old = other.index(of: rows[i].number) else { continue }
            rows[i].body = rows[i].body?.keepingLines(of: other.rows[old].body)
        }
    }

    /// Fills in the bodies of rows, which come after their heights, and lines that come after others.
    package mutating func fill(_ bodies: [WindowRow]) {
        for row in bodies {
            guard let i = rows.firstIndex(where: { $0.number == row.number }), rows[i].height == row.height else {
                continue
            }
            rows[i].body = row.body?.keepingLines(of: rows[i].body)
        }
    }

    private mutating func apply(_ kind: WindowChange.Kind) throws(MirrorError) {
        switch kind {
        case .insert(let at, let new):
            guard 0...rows.count ~= at else { throw .noSuchRow(at) }
            rows.insert(contentsOf: new, at: at)
        case .remove(let at, let count):
            guard at >= 0, count >= 0, at <= rows.count - count else { throw .noSuchRow(at) }
            rows.removeSubrange(at..<at + count)
        case .replace(let at, let row), .redecorate(let at, let row):
            guard rows.indices ~= at else { throw .noSuchRow(at) }
            rows[at] = row.keepingLines(of: rows[at])
        case .move(let from, let to, let row):
            guard rows.indices ~= from, 0..<rows.count ~= to else { throw .noSuchRow(from) }
            let old = rows.remove(at: from)
            rows.insert(row.keepingLines(of: old), at: to)
        }
    }

    private mutating func settle() {
        distances.removeAll(keepingCapacity: true)
        distances.append(0)
        var distance: Int64 = 0
        for row in rows {
            distance += Int64(row.height)
            distances.append(distance)
        }
    }
}

package enum MirrorError: Error, Equatable, Sendable {
    /// The answer was made for another moment than the window's: ask for the changes since its cursor.
    case outOfStep
    case noSuchRow(Int)
    /// The reply is a page, and there is no window that it belongs to.
    case notAWindow
}

// Places of rows. Nothing here allocates.
extension WindowMirror {
    /// The top of a row from the origin, in device pixels.
    package func top(of row: Int) -> Int64 { frame.top + distances[row] }
    package func bottom(of row: Int) -> Int64 { frame.top + distances[row + 1] }
    package var bottom: Int64 { frame.top + distances[rows.count] }

    /// The top and bottom of the content of a row.
    package func content(of row: Int) -> Range<Int64> {
        let top = top(of: row) + Int64(rows[row].lead)
        return top..<top + Int64(rows[row].strip)
    }

    /// Rows that reach into a range of y.
    package func rows(in range: Range<Int64>) -> Range<Int> {
        let first = row(at: range.lowerBound)
        let end = range.isEmpty ? first : row(at: range.upperBound - 1) + (range.upperBound > frame.top ? 1 : 0)
        return min(first, rows.count)..<max(min(first, rows.count), min(end, rows.count))
    }

    /// The first row that ends below y; the number of rows if none does.
    private func row(at y: Int64) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if bottom(of: middle) > y { high = middle } else { low = middle + 1 }
        }
        return low
    }

    package func index(of number: MessageNumber) -> Int? { rows.firstIndex { $0.number == number } }

    /// Nil where its row is not in the window.
    package func y(of anchor: WindowAnchor) -> Int64? {
        index(of: anchor.row).map { row in
            let content = content(of: row)
            return Int64(anchor.offset) + (anchor.edge == .top ? content.lowerBound : content.upperBound)
        }
    }
}
