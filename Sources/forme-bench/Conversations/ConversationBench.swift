import Console
import Conversation
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Names
import Record
import Rows
import Shaping
import Typography
import Wire

/// A long conversation in the layout of a style: the size of its sealed blocks, the time to open it, and the cost of
/// a change.
struct ConversationBench {
    let style: StyleSheet
    private(set) var blocks: [RowBlock] = []
    /// Bytes of a row in the cache besides its part of a block: record, measured texts, key.
    private(set) var bytesPerRow = 0.0
    private(set) var sealingSeconds = 0.0
    private let rowCount: Int

    /// - Parameter ids: gives messages their names, by their places.
    init(style: StyleSheet, fonts: FontList, texts: BenchTexts, rows: Int, ids: (Int) -> String) throws {
        self.style = style
        rowCount = rows
        let heights = try Self.heights(style, fonts, texts.measured.prefix(4_000), &bytesPerRow)
        let start = ProcessorTime.now
        var chat = Chat(heights: heights)
        while blocks.count * RowBlock.usualCount < rows {
            let count = min(RowBlock.usualCount, rows - blocks.count * RowBlock.usualCount)
            let block = try (0..<count).map { _ in try chat.row(ids) }
            blocks.append(try RowBlock(sealing: block, for: style.targets))
        }
        sealingSeconds = ProcessorTime.now - start
    }

    /// A group that talks in bursts.
    struct Chat {
        let heights: [[ContentHeights]]
        private var number: Int64 = 0
        private var time: Int64 = 1_600_000_000_000
        private var sender = 0
        private var seed: UInt64 = 9

        init(heights: [[ContentHeights]]) { self.heights = heights }

        private mutating func random(_ bound: UInt64) -> UInt64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (seed >> 33) % bound
        }

        mutating func row(_ ids: (Int) -> String) throws -> SealedRow {
            number += 1
            time += Int64(random(30) == 0 ? random(20_000_000) : random(60_000))
            if random(3) > 0 { sender = Int(random(8)) }
            return SealedRow(
                number: MessageNumber(number * 40 + Int64(random(40))), message: try MessageID(ids(Int(number))),
                order: number, sender: try SenderID("user-\(sender)"), time: Timestamp(milliseconds: time),
                look: RowLook(template: "message"), heights: heights[Int(random(UInt64(heights.count)))])
        }
    }

    /// The heights of real layouts, one for each target.
    private static func heights(
        _ style: StyleSheet, _ fonts: FontList, _ texts: ArraySlice<String>, _ bytes: inout Double
    ) throws -> [[ContentHeights]] {
        var layouter = try RowLayouter(style: style, fonts: fonts)
        var engine = try LayoutEngine(style: style, fonts: fonts)
        var sum = 0
        let heights = try texts.map { text in
            let message = BenchTexts.message(text)
            let sheet = try engine.layOut(JSONReader(JSONValue.parse(message)))
            let state = MessageState(
                order: 1,
                body: MessageBody(sender: try SenderID("user-1"), time: Timestamp(milliseconds: 1), content: message),
                revision: Revision(1))
            let row = try layouter.row(of: state)
            sum += row.key.count + row.layout.count + row.measured.count + 24
            return sheet.targets.indices.map { target in
                let height = { (variant: Int) in sheet.slice(target: target, variant: variant).size.height }
                return ContentHeights(own: height(0), other: height(1), otherWithName: height(2))
            }
        }
        bytes = Double(sum) / Double(max(1, texts.count))
        return heights
    }
}

extension ConversationBench {
    /// The whole conversation, from bytes as they come from a file.
    func open(column: Int) throws -> RowTree {
        guard let decoration = try style.decoration() else { throw Failure(.failed, "the style has no decoration") }
        let blocks = try self.blocks.map { try RowBlock($0.bytes) }
        return try RowTree(
            opening: blocks, style: decoration, viewer: Viewer(unreadFrom: Int64(rowCount) - 20),
            own: SenderID("user-1"), target: style.targets[column])
    }

    /// Microseconds of processor time, most and median, of each operation somewhere in the conversation.
    func operations(_ tree: RowTree) throws -> [(name: String, median: Double, most: Double)] {
        var tree = tree
        var random = SystemRandomNumberGenerator()
        var number: Int64 = 1 << 40
        let heights = ContentHeights(all: 96)
        func new(_ order: Int64) throws -> NewRow {
            number += 1
            return NewRow(
                number: MessageNumber(number), position: Position(order: order, message: try MessageID("n\(number)")),
                sender: try SenderID("user-2"), time: Timestamp(milliseconds: 1_600_000_000_000),
                look: RowLook(template: "message"), heights: heights)
        }
        func rank() -> Int { Int.random(in: 0..<tree.count, using: &random) }
        func order() -> Int64 { Int64.random(in: 1...Int64(rowCount), using: &random) }
        func measure(_ name: String, _ body: () throws -> Void) rethrows -> (name: String, median: Double, most: Double)
        {
            var times: [Double] = []
            for _ in 0..<1_000 {
                let start = ProcessorTime.now
                try body()
                times.append((ProcessorTime.now - start) * 1e6)
            }
            times.sort()
            return (name, times[500], times[989])
        }
        var older = Int64(0)
        var newer = Int64(rowCount)
        let found = [
            measure("message at a y") { _ = tree.rank(atY: .random(in: tree.top..<tree.bottom, using: &random)) },
            try measure("y of a position") { _ = tree.y(ofRank: tree.rank(of: try new(order()).position)) },
            measure("rank of a number") { _ = tree.rank(of: MessageNumber(order() * 40)) },
            try measure("insert") { tree.insert([try new(order())]) },
            try measure("append") {
                newer += 1
                tree.insert([try new(newer)])
            },
            try measure("prepend") {
                older -= 1
                tree.insert([try new(older)])
            },
        ]
        // An edit needs its row, and the look-up of the row is no part of the cost.
        var edits = try (0..<1_000).map { _ in
            let rank = rank()
            let row = tree.row(at: rank)
            var edit = try new(row.position.order)
            (edit.position, edit.number) = (row.position, row.number)
            return (rank: rank, row: edit)
        }
        return found + [
            measure("replace") {
                let edit = edits.removeLast()
                tree.replace(at: edit.rank, with: edit.row)
            },
            try measure("move") { tree.replace(at: rank(), with: try new(order())) },
            measure("remove") { tree.remove(at: rank()) },
            try measure("prepend 50") {
                older -= 50
                let first = older
                tree.insert(try (0..<50).map { try new(first + $0) }, reason: .pagination)
            },
            measure("50 rows with places") {
                let rank = Int.random(in: 0..<tree.count - 50, using: &random)
                _ = tree.spans(rank..<rank + 50)
            },
        ]
    }
}
