/// Room that is left in an answer. The first row always fits, so that a reader who asks on comes to the end.
package struct AnswerRoom: Sendable {
    private let limit: Int
    private var used = 0
    private var isEmpty = true

    /// - Parameter limit: the room in bytes.
    package init(_ limit: Int) { self.limit = limit }

    /// Takes room for a row, if there is any.
    package mutating func take(_ bytes: Int) -> Bool {
        guard isEmpty || bytes <= limit - used else { return false }
        used += bytes
        isEmpty = false
        return true
    }
}

/// Rows of an answer that fit into it: all of them, or, where they are too large together, a run that begins with the
/// row that its reader sees first. An answer may have fewer rows, but never a row without its contents.
///
///     var cut = AnswerCut(of: 256, from: .around(120..<128), AnswerRoom(limit))
///     while let row = cut.next { cut.take(row, bytes: size(of: row)) }
///     cut.rows            // 97..<154
package struct AnswerCut: Sendable {
    /// The rows that its reader sees first.
    package enum Start: Hashable, Sendable {
        /// The uppermost row, then downward.
        case top
        /// The lowest row, then upward.
        case bottom
        /// These rows downward, as they are on the screen; then one below and one above in turn.
        case around(Range<Int>)
    }

    /// Rows that are in the answer so far.
    package private(set) var rows: Range<Int>
    /// Room that is left beside them.
    package private(set) var room: AnswerRoom
    private let count: Int
    private let start: Start
    private var isDone = false

    package init(of count: Int, from start: Start, _ room: AnswerRoom) {
        (self.count, self.start, self.room) = (count, start, room)
        let first: Int =
            switch start {
            case .top: 0
            case .bottom: count
            case .around(let seen): max(0, min(seen.lowerBound, count - 1))
            }
        rows = first..<first
    }

    /// The row whose turn is next; nil when all are in, or when there is no room.
    package var next: Int? { isDone ? nil : next(to: rows) }

    /// Rows whose turns are next, if all of them fit: they are read together.
    package func next(_ most: Int) -> [Int] {
        guard !isDone else { return [] }
        var (list, rows) = ([Int](), rows)
        while list.count < most, let row = next(to: rows) {
            list.append(row)
            rows = min(row, rows.lowerBound)..<max(row + 1, rows.upperBound)
        }
        return list
    }

    /// - Parameter row: the next one.
    package mutating func take(_ row: Int, bytes: Int) {
        precondition(row == next)
        if room.take(bytes) {
            rows = min(row, rows.lowerBound)..<max(row + 1, rows.upperBound)
        } else {
            isDone = true
        }
    }

    private func next(to rows: Range<Int>) -> Int? {
        let below = rows.upperBound < count ? rows.upperBound : nil
        let above = rows.lowerBound > 0 ? rows.lowerBound - 1 : nil
        guard case .around(let seen) = start, let below, let above else { return below ?? above }
        return below - seen.upperBound < seen.lowerBound - above ? below : above
    }
}
