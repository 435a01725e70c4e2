import Console
import FormeLayout
import Foundation
import Gateway
import MessageLayout
import Names
import Pool
import Record
import Rows
import Shaping
import Storage
import Typography
import Wire

/// A conversation in a shard, as a worker leaves it, which is then shown at widths that nobody foresaw.
struct WidthsBench: ~Copyable {
    private let folder: URL
    private let source: LayoutSource
    private let conversation: ConversationID
    var reader: ShardReader
    var sealer: RowSealer
    var shard: SQLiteShard
    var layouter: RowLayouter
    /// The measured texts that are stored beside the layouts of its messages.
    let measured: [[UInt8]]
    private var width: Int32 = 300
    private var columns = TextColumns()

    /// - Parameter messages: taken again and again, until there are enough.
    init(style: StyleSheet, fonts: FontList, messages: [[UInt8]], rows: Int) throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "forme-widths-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var layouter = try RowLayouter(style: style, fonts: fonts)
        let source = LayoutSource(
            edition: try layouter.edition.id, style: style, texts: try StyleTexts(style, fonts: fonts))
        let conversation = try ConversationID("c")
        let place = (Shard(0), DataFolder(folder.path))
        var shard = try SQLiteShard(place.0, of: source.edition, in: place.1)
        _ = try shard.adopt(LeaseEpoch(1))
        var (measured, changes): ([[UInt8]], [ShardChange]) = ([], [])
        for number in 0..<rows {
            let body = MessageBody(
                sender: try SenderID("user-\(number / 3 % 8)"), time: Timestamp(milliseconds: Int64(number) * 40_000),
                content: messages[number % messages.count])
            let state = MessageState(order: Int64(number), body: body, revision: Revision(1), isFirst: true)
            let row = try layouter.row(of: state)
            measured.append(row.measured)
            changes.append(
                ShardChange(
                    job: JobNumber(UInt64(number + 1)), message: MessageNumber(Int64(number + 1)),
                    conversation: conversation, messageID: try MessageID("m\(number)"),
                    row: .laidOut(
                        ShardRow(
                            facts: state.facts, role: RowRole(template: row.template, joinsSeries: row.joinsSeries),
                            key: row.key, layout: row.layout, measured: row.measured, heights: row.heights))))
            guard changes.count == 100 || number == rows - 1 else { continue }
            _ = try shard.commit(changes, under: LeaseEpoch(1))
            changes.removeAll()
        }
        var sealer = RowSealer(style: try style.decoration())
        while try shard.seal(&sealer) {}
        let reader = try ShardReader(place.0, of: source.edition, in: place.1, cache: 256 << 20)
        (self.folder, self.source, self.conversation, self.measured) = (folder, source, conversation, measured)
        self.reader = reader
        self.sealer = sealer
        self.shard = shard
        self.layouter = layouter
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A target that was never asked for.
    mutating func nextTarget() -> Target {
        width += 1
        return Target(width: .points(width), scale: .three)
    }

    private mutating func composer() -> RowComposer { RowComposer(source, for: nextTarget()) }

    /// Seconds until all blocks have been read from the file and have other heights.
    mutating func fromFile() throws -> Double {
        let start = ProcessorTime.now
        let composer = composer()
        var rows = 0
        try forEachBlock(for: composer.target) { block, reader in
            rows += try composer.restated(block, from: &reader).count
        }
        let seconds = ProcessorTime.now - start
        guard rows > measured.count - 2 * RowBlock.usualCount else { throw Failure(.failed, "rows are not sealed") }
        return seconds
    }

    private mutating func forEachBlock(
        for target: Target, _ body: (RowBlock, inout ShardReader) throws -> Void
    ) throws {
        var walk = ConversationWalk(conversation, for: [target])
        while !walk.isDone {
            for block in try reader.next(&walk, &sealer) { try body(block, &reader) }
        }
    }

    /// Seconds of that for reading alone.
    mutating func reading() throws -> Double {
        let start = ProcessorTime.now
        var bytes = 0
        try forEachBlock(for: nextTarget()) { block, reader in
            try reader.measured(block.numbers()) { bytes += $1.count }
        }
        guard bytes > 0 else { throw Failure(.failed, "nothing is stored") }
        return ProcessorTime.now - start
    }

    /// Seconds for the heights of all rows, where their texts are held in columns.
    mutating func held() throws -> Double {
        if columns.count == 0 {
            let composer = composer()
            for bytes in measured { try composer.append(bytes.span, to: &columns) }
        }
        let start = ProcessorTime.now
        let heights = try composer().heights(columns)
        let seconds = ProcessorTime.now - start
        guard heights.allSatisfy({ $0.other > 0 }) else { throw Failure(.failed, "rows have no height") }
        return seconds
    }

    /// Seconds for the heights of all rows, from the stored bytes in memory.
    mutating func inMemory() throws -> Double {
        let start = ProcessorTime.now
        let composer = composer()
        var sum: Int64 = 0
        for bytes in measured { sum += Int64(try composer.heights(bytes).other) }
        guard sum > 0 else { throw Failure(.failed, "rows have no height") }
        return ProcessorTime.now - start
    }
}
