import Bytes
import MessageLayout
import Record
import TestSupport
import Testing
import Typography

@Test func `a record holds the sheet that was written`() {
    var encoder = RecordEncoder()
    forEachSeed(1000) { random in
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        let read = try LayoutRecord(encoder.bytes(of: sheet)).sheet()
        return read.hasSameLayouts(as: sheet)
    }
}

@Test func `a sheet read from a record gives the same record again`() {
    var encoder = RecordEncoder()
    forEachSeed(500) { random in
        var samples = SheetSamples(random: random, draws: true)
        let bytes = try encoder.bytes(of: samples.sheet())
        return try encoder.bytes(of: LayoutRecord(bytes).sheet()) == bytes
    }
}

@Test func `each layout can be read from a record, and from a row cut of it`() {
    var encoder = RecordEncoder()
    var cutter = RecordCutter()
    var page = LayoutRows()
    forEachSeed(500) { random in
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        let record = try LayoutRecord(encoder.bytes(of: sheet))
        page.removeAll()
        var row: [UInt8] = []
        for place in sheet.places where place.state == 0 {
            try cutter.cut(
                record, target: place.target, variant: place.variant, upTo: .newest, into: &row)
            try page.append(row)
        }
        return try sheet.places.allSatisfy { place in
            let model = sheet.model(target: place.target, variant: place.variant, state: place.state)
            let row = place.target * Int(sheet.variantCount) + place.variant
            return try record.model(target: place.target, variant: place.variant, state: place.state) == model
                && page.model(row: row, state: place.state) == model
        }
    }
}

@Test func `a cutter knows how large a row is that it cut, and how many lines it has`() {
    var encoder = RecordEncoder()
    var cutter = RecordCutter()
    var page = LayoutRows()
    forEachSeed(300) { random in
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        let record = try LayoutRecord(encoder.bytes(of: sheet))
        var row: [UInt8] = []
        return try sheet.places.filter { $0.state == 0 }.allSatisfy { place in
            try cutter.cut(record, target: place.target, variant: place.variant, upTo: .newest, into: &row)
            page.removeAll()
            try page.append(row)
            return page.slices[0].size == cutter.size && page.lines.count == cutter.lineCount
        }
    }
}

@Test func `a row that is written of a sheet is the one that is cut from its record`() {
    var encoder = RecordEncoder()
    var cutter = RecordCutter()
    var writer = RowWriter()
    forEachSeed(500) { random in
        var samples = SheetSamples(random: random, draws: true)
        return try rowsAreCut(of: samples.sheet(), &encoder, &cutter, &writer)
    }
}

@Test func `a record is what it is, whichever was opened before`() {
    var encoder = RecordEncoder()
    forEachSeed(300) { random in
        var samples = SheetSamples(random: random)
        let one = try encoder.bytes(of: samples.sheet())
        let other = try encoder.bytes(of: samples.sheet())
        let known = try LayoutRecord(one)
        guard try LayoutRecord(other, like: known) == LayoutRecord(other), try LayoutRecord(one, like: known) == known
        else { return false }
        return one.indices.allSatisfy { end in (try? LayoutRecord(Array(one[..<end]), like: known)) == nil }
    }
}

@Test func `a record is what it is, also behind one whose skeleton differs in a part alone`() {
    var encoder = RecordEncoder()
    forEachSeed(50) { random in
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        var others = Array(repeating: sheet, count: 5)
        for text in sheet.skeleton.texts.indices {
            others[0].skeleton.texts[text].entities.append(.init(range: 1..<2, kind: .mention))
        }
        others[1].skeleton.words.append("a word that none has")
        others[2].skeleton.reading = []
        others[3].skeleton.drawing = nil
        others[4].skeleton.drawing?.words.append("a field that none has")
        return try others.allSatisfy { other in
            var fresh = RecordEncoder()
            let known = try (encoder.bytes(of: sheet), encoder.bytes(of: other))
            return try known == (fresh.bytes(of: sheet), fresh.bytes(of: other))
        }
    }
}

@Test func `a record that was cut or has a byte too many is refused`() {
    var encoder = RecordEncoder()
    forEachSeed(60) { random in
        var samples = SheetSamples(random: random, draws: true)
        let bytes = try encoder.bytes(of: samples.sheet())
        return bytes.indices.allSatisfy { isRefused(Array(bytes[..<$0])) } && isRefused(bytes + [0])
    }
}

@Test func `a row that was cut or has a byte too many is refused, and leaves its page as it was`() {
    var encoder = RecordEncoder()
    var page = LayoutRows()
    forEachSeed(60) { random in
        var samples = SheetSamples(random: random, draws: true)
        let row = try encoder.row(of: samples.sheet())
        guard !row.isEmpty else { return true }
        page.removeAll()
        try page.append(row)
        let model = page.model(row: 0)
        for end in row.indices where page.refuses(row[..<end]) == nil { return false }
        return page.refuses(row + [0]) != nil && page.rows.count == 1 && page.model(row: 0) == model
    }
}

@Test func `a record in which bytes were changed is refused, or is some sheet`() {
    var encoder = RecordEncoder()
    var cutter = RecordCutter()
    var page = LayoutRows()
    forEachSeed(3000) { random in
        var samples = SheetSamples(random: random, draws: true)
        var bytes = try encoder.bytes(of: samples.sheet())
        for _ in 0...samples.below(3) {
            bytes[samples.below(bytes.count)] = .random(in: 0...255, using: &samples.random)
        }
        guard let record = try? LayoutRecord(bytes) else { return true }
        var row: [UInt8] = []
        for target in record.targets.indices {
            guard (try? cutter.cut(record, target: target, variant: 0, into: &row)) != nil else { continue }
            page.removeAll()
            if page.refuses(row) == nil { page.model(row: 0).look() }
        }
        guard let sheet = try? record.sheet() else { return true }
        return try LayoutRecord(encoder.bytes(of: sheet)).sheet().hasSameLayouts(as: sheet)
    }
}

@Test func `a row in which a byte was changed is refused, or is some layout`() {
    var encoder = RecordEncoder()
    var page = LayoutRows()
    forEachSeed(200) { random in
        var samples = SheetSamples(random: random, draws: true)
        let row = try encoder.row(of: samples.sheet())
        for place in row.indices {
            var bytes = row
            bytes[place] ^= .random(in: 1...255, using: &samples.random)
            page.removeAll()
            if page.refuses(bytes) == nil { page.model(row: 0).look() }
        }
        return true
    }
}

@Test func `any bytes are refused, or are some sheet`() {
    forEachSeed(3000) { random in
        var samples = SheetSamples(random: random, draws: true)
        let bytes = (0..<samples.below(80)).map { _ in UInt8(samples.below(samples.chance() ? 256 : 8)) }
        for version in 1...3 as ClosedRange<UInt8> {
            if let record = try? LayoutRecord([version] + bytes) { _ = try? record.sheet() }
        }
        return true
    }
}

@Test(
    arguments: [
        ([], .truncated(needed: 1, left: 0)), ([0], .unknownVersion(0)), ([9, 1, 2], .unknownVersion(9)),
        ([4, 1, 2], .unknownVersion(4)), ([3], .truncated(needed: 1, left: 0)),
        ([3, 0x80, 0x80], .truncated(needed: 1, left: 0)), ([3, 0x80, 0], .outOfRange(0, of: "number")),
        ([3, 120], .tooLong(120, limit: 2, of: "stem")), ([3, 0, 9, 1], .truncated(needed: 9, left: 1)),
        ([3, 0, 5, 2, 0x81, 8, 0, 0], .tooLong(1025, limit: 1024, of: "nodes")),
        ([3, 0, 4, 1, 0, 0, 0, 1, 3, 0, 0], .tooLong(3, limit: 2, of: "states")),
        ([3, 0, 4, 1, 0, 0, 0, 1, 1, 0, 9], .truncated(needed: 9, left: 0)),
        ([3, 0, 4, 1, 0, 0, 0, 1, 1, 0, 0, 7], .trailing(count: 1)),
        ([1, 1, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], .tooLong(3, limit: 2, of: "states")),
        ([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], .trailing(count: 1)),
    ] as [([UInt8], ByteError)])
func `says what is wrong with a record`(bytes: [UInt8], error: ByteError) {
    #expect(throws: error) { try LayoutRecord(bytes) }
}

@Test func `what a record does not have cannot be cut from it`() throws {
    var encoder = RecordEncoder()
    let record = try LayoutRecord(encoder.bytes(of: .bubble))
    let (targets, variants) = (record.targets.count, record.variantCount)
    #expect(throws: ByteError.outOfRange(Int64(targets), of: "target")) {
        try record.model(target: targets, variant: 0)
    }
    #expect(throws: ByteError.outOfRange(-1, of: "variant")) { try record.model(target: 0, variant: -1) }
    #expect(throws: ByteError.outOfRange(Int64(variants), of: "variant")) {
        try record.model(target: 0, variant: variants)
    }
    #expect(throws: ByteError.outOfRange(2, of: "state")) { try record.model(target: 0, variant: 0, state: 2) }
}

@Test func `a sheet beyond the limits is refused`() {
    var sheet = LayoutSheet()
    sheet.skeleton.words = Array(repeating: "word", count: 4097)
    #expect(throws: ByteError.tooLong(4097, limit: 4096, of: "words")) {
        var encoder = RecordEncoder()
        _ = try encoder.bytes(of: sheet)
    }
}

@Test func `the parts of a record add up`() throws {
    var encoder = RecordEncoder()
    let bytes = try encoder.bytes(of: .bubble)
    let sections = try LayoutRecord.sections(of: bytes)
    #expect(sections.map(\.name).first == "head")
    #expect(sections.reduce(0) { $0 + $1.bytes } == bytes.count)
}

extension RecordEncoder {
    mutating func bytes(of sheet: LayoutSheet) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try encode(sheet, into: &bytes)
        return bytes
    }

    /// The row of the last target; empty where there is none.
    mutating func row(of sheet: LayoutSheet) throws -> [UInt8] {
        let record = try LayoutRecord(bytes(of: sheet))
        var row: [UInt8] = []
        var cutter = RecordCutter()
        guard !record.targets.isEmpty else { return [] }
        try cutter.cut(record, target: record.targets.count - 1, variant: 0, upTo: .newest, into: &row)
        return row
    }
}

extension LayoutRows {
    mutating func refuses(_ row: some Collection<UInt8>) -> ByteError? {
        do throws(ByteError) {
            try append(row)
            return nil
        } catch {
            return error
        }
    }
}

extension LayoutModel {
    /// Asks for everything that is drawn of it.
    fileprivate func look() {
        for node in skeleton.nodes.indices {
            _ = (shownLines(of: node), entityFrames(in: node), placements[node].crop)
        }
    }
}

private func isRefused(_ bytes: [UInt8]) -> Bool {
    guard let record = try? LayoutRecord(bytes) else { return true }
    return (try? record.sheet()) == nil
}
