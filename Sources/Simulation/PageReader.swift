import Conversation
import Names
import Pool
import Wire

/// A client that asks for one page after another, with the part of a gateway that answers it.
struct PageReader {
    struct Row {
        var number: MessageNumber
        var row: ShardFile.StoredRow

        var position: Position { Position(order: row.facts.order, message: row.message) }
        var key: Key { Key(number: number, job: row.job) }
        /// The bytes of its content.
        var bytes: Int { 100 + Int(number.number % 7) * 50 }
    }

    struct Key: Hashable {
        var number: MessageNumber
        var job: JobNumber
    }

    private let rows: [Row]
    private let bug: PlantedBug?
    private let pageSize: Int
    private let room: Int
    private var cache: ContentCache<Key, [UInt8]>
    private var findings: [String] = []

    init(_ rows: [Row], _ bug: PlantedBug?, _ dice: inout Dice) {
        (self.rows, self.bug) = (rows, bug)
        pageSize = dice.number(1...80)
        // Some pages do not fit into an answer, and some not into the cache.
        room = dice.number(200...20_000)
        cache = ContentCache(limit: dice.number(0...20_000))
    }

    /// - Returns: the findings.
    mutating func readAll() -> [String] {
        for _ in 0..<2 {
            var end = rows.count
            while end > 0 {
                let page = max(0, end - pageSize)..<end
                let read = answer(page)
                guard read.upperBound == end, !read.isEmpty else {
                    return findings + ["a page of \(page) was answered with \(read), so that its reader cannot go on"]
                }
                end = read.lowerBound
            }
        }
        return findings
    }

    /// - Returns: the rows that are in the answer.
    private mutating func answer(_ page: Range<Int>) -> Range<Int> {
        var cut = AnswerCut(of: page.count, from: .bottom, AnswerRoom(room))
        var drawn: [Int: [UInt8]] = [:]
        while true {
            let batch = cut.next(64)
            if batch.isEmpty { break }
            let found = contents(of: batch.map { rows[page.lowerBound + $0] })
            for (row, content) in zip(batch, found) where row == cut.next {
                drawn[row] = content
                cut.take(row, bytes: rows[page.lowerBound + row].bytes)
            }
        }
        for row in cut.rows where drawn[row] != rows[page.lowerBound + row].row.key {
            findings.append("row \(rows[page.lowerBound + row].number.number) came without what is drawn in it")
        }
        return page.lowerBound + cut.rows.lowerBound..<page.lowerBound + cut.rows.upperBound
    }

    private mutating func contents(of wanted: [Row]) -> [[UInt8]?] {
        var contents = AnswerContents(of: wanted.map(\.key), in: &cache)
        for place in contents.missing {
            contents.add(wanted[place].row.key, bytes: wanted[place].bytes, at: place, to: &cache)
        }
        if bug == .pageLargerThanCache { return wanted.map { cache.content($0.key) } }
        return wanted.indices.map { contents[$0] }
    }
}
