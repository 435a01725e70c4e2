import FormeLayout
import JSON
import MessageLayout
import Names
import Record
import TestSupport
import Testing
import Typography
import Wire

/// Screens that no style names.
private let unforeseen = [
    Target(width: .points(201), scale: .three), Target(width: .points(333), scale: Scale(thousandths: 2750)),
    Target(width: .points(347), scale: .three, textScale: TextScale(percent: 130)),
    Target(width: Fixed(raw: 411 * 64 + 32), scale: Scale(thousandths: 1250), textScale: TextScale(percent: 85)),
    Target(width: .points(398), scale: .two, isMirrored: true),
    Target(width: .points(811), scale: .two, textScale: TextScale(percent: 235)),
]

/// A worker, and a reader that has nothing but the stored texts and the style.
private struct Pair: ~Copyable {
    private var worker: LayoutEngine
    private let style: StyleSheet
    private let texts: StyleTexts
    private var encoder = RecordEncoder()
    private var sheet = LayoutSheet()

    init(_ name: String) throws {
        let style = try Kinds.style(name)
        let worker = try Kinds.engine(style)
        texts = try StyleTexts(style, fonts: Kinds.fontList())
        self.style = style
        self.worker = worker
    }

    func reader(_ target: Target) throws -> Composer { Composer(style, targets: [target], texts: texts) }
    func worker(_ target: Target) throws -> LayoutEngine { try Kinds.engine(style, targets: [target]) }

    mutating func stored(_ message: JSONValue) throws -> (bytes: [UInt8], record: LayoutRecord) {
        worker.layOut(try CheckedMessage(JSONReader(message), of: style), into: &sheet)
        var (record, bytes): ([UInt8], [UInt8]) = ([], [])
        try encoder.encode(sheet, into: &record)
        worker.composer.encodeMeasuredTexts(into: &bytes)
        return try (bytes, LayoutRecord(record))
    }

    /// The record that another worker makes of a message.
    mutating func record(_ message: JSONValue, of other: inout LayoutEngine) throws -> LayoutRecord {
        other.layOut(try CheckedMessage(JSONReader(message), of: style), into: &sheet)
        var record: [UInt8] = []
        try encoder.encode(sheet, into: &record)
        return try LayoutRecord(record)
    }

    /// Whether the reader makes the same of the stored texts as the other worker makes of the message.
    mutating func agree(
        _ message: JSONValue, _ reader: inout Composer, _ other: inout LayoutEngine
    ) throws -> Bool {
        let (bytes, record) = try stored(message)
        let stored = try StoredTexts(bytes[...])
        let wanted = try self.record(message, of: &other).bytes
        let heights = try reader.heights(stored)
        try reader.layOut(stored, showing: record.skeleton(), into: &sheet)
        var found: [UInt8] = []
        try encoder.encode(sheet, into: &found)
        var heightReader = HeightReader()
        let listed = HeightPlan(sheet.targets).list(sheet)
        return try found == wanted && heights == heightReader.heights(of: LayoutRecord(found))[0]
            && reader.heights(stored) == heights && HeightPlan(sheet.targets).heights(in: listed[...])[0] == heights
    }
}

@Test(arguments: Kinds.styles)
func `what is stored of a message is laid out for any screen as the message itself would be`(style: String) throws {
    var pair = try Pair(style)
    for target in style == "bubble" ? unforeseen.prefix(3) : unforeseen.suffix(3) {
        var reader = try pair.reader(target)
        var worker = try pair.worker(target)
        for kind in Kinds.fixtures {
            for (number, message) in try Kinds.messages(kind).enumerated() {
                #expect(try pair.agree(message, &reader, &worker), "\(kind) \(number) on \(target)")
            }
        }
    }
}

@Test func `so it is with messages of any fields in many scripts`() throws {
    let messages = RandomMessages(try Kinds.style("bubble"))
    var pair = try Pair("bubble")
    var random = SplitMix64(seed: 5)
    for target in [unforeseen[1], unforeseen[4]] {
        var reader = try pair.reader(target)
        var worker = try pair.worker(target)
        for _ in 0..<80 {
            let (kind, message) = messages.message(using: &random)
            #expect(try pair.agree(message, &reader, &worker), "\(kind)")
        }
    }
}

@Test func `facts that were cut or changed are refused, or lead to another layout, and never trap`() throws {
    var layouter = try RowLayouter(style: Kinds.style("bubble"), fonts: Kinds.fontList())
    var reader = try Pair("bubble").reader(unforeseen[0])
    var random = SplitMix64(seed: 3)
    for kind in Kinds.fixtures {
        for text in try Kinds.texts(kind).prefix(4) {
            let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 0), content: text)
            let bytes = try layouter.row(of: MessageState(order: 1, body: body, revision: Revision(1))).measured
            for length in 0..<min(bytes.count, 48) {
                _ = try? reader.heights(StoredTexts(bytes.prefix(length)))
            }
            for _ in 0..<20 {
                var flipped = bytes
                flipped[.random(in: 0..<min(bytes.count, 64), using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
                _ = try? reader.heights(StoredTexts(flipped[...]))
            }
            #expect(try reader.heights(StoredTexts(bytes[...])).own > 0)
        }
    }
}

@Test func `what was stored before there were facts is told from what was not`() throws {
    var layouter = try RowLayouter(style: Kinds.style("bubble"), fonts: Kinds.fontList())
    let body = MessageBody(
        sender: try SenderID("ada"), time: Timestamp(milliseconds: 0),
        content: Array(#"{"kind":"text","text":"Hello there"}"#.utf8))
    let bytes = try layouter.row(of: MessageState(order: 1, body: body, revision: Revision(1))).measured
    let facts = bytes.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    let old = try StoredTexts(bytes.dropFirst(4 + facts))
    var reader = try Pair("bubble").reader(unforeseen[0])
    #expect(throws: StoredMessageError.isTooOld) { _ = try reader.heights(old) }
    #expect(facts < 24)
}

@Test(arguments: [unforeseen[0], unforeseen[2], unforeseen[4]])
func `messages that are held are as high as each by itself`(target: Target) throws {
    var pair = try Pair("bubble")
    var reader = try pair.reader(target)
    var other = try pair.reader(unforeseen[5])
    var columns = TextColumns()
    var heights: [ContentHeights] = []
    let messages = RandomMessages(try Kinds.style("bubble"))
    var random = SplitMix64(seed: 9)
    for i in 0..<120 {
        let (_, message) = messages.message(of: i % 3 > 0 ? "text" : nil, using: &random)
        let (stored, _) = try pair.stored(message)
        try other.append(stored.span, to: &columns)
        heights.append(try reader.heights(StoredTexts(stored[...])))
    }
    #expect(try reader.heights(columns) == heights)
}

@Test(arguments: Kinds.styles)
func `messages of every kind are as high among others as each by itself`(style: String) throws {
    var pair = try Pair(style)
    var columns = TextColumns()
    for target in unforeseen {
        var reader = try pair.reader(target)
        var heights: [ContentHeights] = []
        var names: [String] = []
        columns.removeAll()
        for kind in Kinds.fixtures {
            for (number, message) in try Kinds.messages(kind).enumerated() {
                let (stored, _) = try pair.stored(message)
                try reader.append(stored.span, to: &columns)
                heights.append(try reader.heights(StoredTexts(stored[...])))
                names.append("\(kind) \(number)")
            }
        }
        let found = try reader.heights(columns)
        #expect(found.count == heights.count)
        let different = names.indices.filter { found[$0] != heights[$0] }
        #expect(different.isEmpty, "\(different.map { names[$0] })")
    }
}

@Test func `messages whose stored texts were changed are refused among others as each by itself`() throws {
    var pair = try Pair("bubble")
    var reader = try pair.reader(unforeseen[0])
    var random = SplitMix64(seed: 6)
    let messages = RandomMessages(try Kinds.style("bubble"))
    for _ in 0..<400 {
        var (bytes, _) = try pair.stored(messages.message(of: "text", using: &random).message)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        var columns = TextColumns()
        let one = Result { try reader.heights(StoredTexts(checking: bytes)) }
        let other = Result {
            try reader.append(bytes.span, to: &columns)
            return try reader.heights(columns)
        }
        switch (one, other) {
        case (.success(let height), .success(let heights)): #expect(heights == [height])
        case (.failure, .failure): break
        default: Issue.record("\(one) \(other)")
        }
    }
}

@Test(arguments: Kinds.styles)
func `messages that are laid out together have the rows that each has by itself`(style: String) throws {
    var pair = try Pair(style)
    var random = SplitMix64(seed: 11)
    let others = RandomMessages(try Kinds.style(style))
    var messages = try Kinds.fixtures.flatMap { try Kinds.messages($0) }
    for _ in 0..<40 { messages.append(others.message(of: "text", using: &random).message) }
    for words in ["See you at nine", "Und ich dachte, es wäre schon zehn", "a b c d e f g h i j k l m n o p"] {
        messages.append(try JSONValue.parse(Array(#"{"kind": "text", "text": "\#(words)"}"#.utf8)))
    }
    var stored: [(bytes: [UInt8], record: LayoutRecord)] = []
    for message in messages { stored.append(try pair.stored(message)) }
    var writer = RowWriter()
    var cutter = RecordCutter()
    var sheet = LayoutSheet()
    var (written, cut) = ([UInt8](), [UInt8]())
    for target in unforeseen {
        var reader = try pair.reader(target)
        var worker = try pair.worker(target)
        var columns = TextColumns()
        var wanted: [LayoutRecord] = []
        for (place, message) in messages.enumerated() {
            let bytes = stored[place].bytes
            try reader.append(bytes.span, to: &columns)
            wanted.append(try pair.record(message, of: &worker))
        }
        var together: Set<Int> = []
        for group in 0..<columns.groupCount {
            let numbers = try reader.layOut(columns, group: group, into: &sheet)
            for (place, number) in numbers.enumerated() {
                guard let number else { continue }
                for variant in 0..<Int(sheet.variantCount) {
                    let (chunk, lane) = place.quotientAndRemainder(dividingBy: Lanes.scalarCount)
                    try writer.turn(to: sheet, group: chunk, [lane], variant: variant)
                    guard writer.hasSkeleton(of: stored[number].record) else { continue }
                    try writer.write(sheet, lane, drawnAs: stored[number].record, upTo: .newest, into: &written)
                    try cutter.cut(wanted[number], target: 0, variant: variant, upTo: .newest, into: &cut)
                    #expect(written == cut, "\(messages[number]), variant \(variant) on \(target)")
                    together.insert(number)
                }
            }
        }
        #expect(together.count > 20)
    }
}
