import Bytes
import Foundation
import MessageLayout
import Record
import TestSupport
import Testing
import Typography

/// Records as they were written once, and their contents. After a change that is meant, write them anew:
///
///     FORME_WRITE_FIXTURES=1 swift test --filter 'RecordTests.*records of today'
@Test(arguments: GoldenRecord.all)
func `records of today are those that were stored, and decode to the same`(golden: GoldenRecord) throws {
    var encoder = RecordEncoder()
    let bytes = try encoder.bytes(of: golden.sheet)
    if ProcessInfo.processInfo.environment["FORME_WRITE_FIXTURES"] != nil {
        try Data(bytes).write(to: golden.file("record"))
        let writer = JSONEncoder()
        writer.outputFormatting = [.sortedKeys]
        try writer.encode(ToldRecord(LayoutRecord(bytes).sheet())).write(to: golden.file("json"))
    }
    let stored = [UInt8](try Data(contentsOf: golden.file("record")))
    #expect(stored == bytes)
    let expected = try JSONDecoder().decode(ToldRecord.self, from: Data(contentsOf: golden.file("json")))
    #expect(try ToldRecord(LayoutRecord(stored).sheet()) == expected)
}

@Test(arguments: GoldenRecord.all)
func `a decoder written from the documentation alone reads what was stored`(golden: GoldenRecord) throws {
    let expected = try JSONDecoder().decode(ToldRecord.self, from: Data(contentsOf: golden.file("json")))
    #expect(try ToldRecord(decodedFrom: Data(contentsOf: golden.file("record"))) == expected)
}

/// Records of the releases before, versions 1 and 2, which are there until an edition has rolled.
@Test(arguments: GoldenRecord.all)
func `rows, heights and sheets of a record of a release before are those of today's`(golden: GoldenRecord) throws {
    let bytes = [UInt8](try Data(contentsOf: golden.file("record", in: "Previous/")))
    #expect(bytes[0] == (golden.sheet.skeleton.drawing == nil ? 1 : 2))
    var encoder = RecordEncoder()
    let (old, new) = (try LayoutRecord(bytes), try LayoutRecord(encoder.bytes(of: golden.sheet)))
    #expect(try old.sheet().hasSameLayouts(as: new.sheet()))
    var reader = HeightReader()
    #expect(try reader.heights(of: old) == reader.heights(of: new))
    var cutter = RecordCutter()
    var (row, other): ([UInt8], [UInt8]) = ([], [])
    for place in golden.sheet.places where place.state == 0 {
        for version in RowVersion.allCases {
            try cutter.cut(old, target: place.target, variant: place.variant, upTo: version, into: &row)
            let (size, lines) = (cutter.size, cutter.lineCount)
            try cutter.cut(new, target: place.target, variant: place.variant, upTo: version, into: &other)
            #expect(row == other && size == cutter.size && lines == cutter.lineCount)
        }
    }
    let expected = try JSONDecoder().decode(ToldRecord.self, from: Data(contentsOf: golden.file("json")))
    #expect(try ToldRecord(decodedFrom: Data(bytes)) == expected)
}

@Test(arguments: GoldenRecord.all)
func `a record of a release before that was cut or changed is refused, or is some sheet`(golden: GoldenRecord) throws {
    let bytes = [UInt8](try Data(contentsOf: golden.file("record", in: "Previous/")))
    for end in bytes.indices { #expect((try? LayoutRecord(Array(bytes[..<end])).sheet()) == nil) }
    var random = SplitMix64(seed: 1)
    for place in bytes.indices {
        var changed = bytes
        changed[place] ^= .random(in: 1...255, using: &random)
        if let record = try? LayoutRecord(changed) { _ = try? record.sheet() }
    }
}

@Test(arguments: GoldenRecord.all.filter { $0.excerpt != nil })
func `records of today are cut into the excerpts that were stored`(golden: GoldenRecord) throws {
    let bytes = try #require(golden.excerpt)
    if ProcessInfo.processInfo.environment["FORME_WRITE_FIXTURES"] != nil {
        try Data(bytes).write(to: golden.file("excerpt"))
    }
    #expect([UInt8](try Data(contentsOf: golden.file("excerpt"))) == bytes)
    var page = LayoutRows()
    try page.append(bytes)
    let models = (0..<page.rows[0].states.count).map { page.model(row: 0, state: $0) }
    #expect(try ToldRow.states(decodedFrom: Data(bytes)) == models.map { ToldRow($0) })
}

struct GoldenRecord: Sendable, CustomTestStringConvertible {
    var name: String
    var sheet: LayoutSheet

    var testDescription: String { name }

    func file(_ kind: String, in folder: String = "") -> URL {
        Project.file("Tests/RecordTests/Fixtures/\(folder)\(name).\(kind)")
    }

    /// One line of the row of the last target; nil where that has no more, or cannot be cut.
    var excerpt: [UInt8]? {
        var encoder = RecordEncoder()
        guard let lines = try? RowLines(encoder.row(of: sheet)), lines.lineCount > 1 else { return nil }
        return lines.excerpt(lines.lineCount / 2..<lines.lineCount / 2 + 1)
    }

    /// A plain message, and sheets in which everything occurs that can.
    static let all: [GoldenRecord] =
        [
            GoldenRecord(name: "bubble", sheet: .bubble), GoldenRecord(name: "drawn", sheet: .drawn),
            GoldenRecord(name: "joined", sheet: .joined),
        ]
        + [3, 21, 40, 77].map { (seed: UInt64) in
            var samples = SheetSamples(random: SplitMix64(seed: seed))
            return GoldenRecord(name: "random-\(seed)", sheet: samples.sheet())
        }
}
