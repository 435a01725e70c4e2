import Bytes
import Foundation
import MessageLayout
import Record
import TestSupport
import Testing
import Typography

@Test func `a row of version 1 is, byte for byte, what is cut where nothing is said of drawing`() {
    var encoder = RecordEncoder()
    forEachSeed(500) { random in
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        var bare = sheet
        bare.skeleton.drawing = nil
        let (record, other) = (try LayoutRecord(encoder.bytes(of: sheet)), try LayoutRecord(encoder.bytes(of: bare)))
        guard record.rowVersion == (sheet.skeleton.drawing == nil ? .first : .second), other.rowVersion == .first else {
            return false
        }
        return try sheet.places.allSatisfy { place in
            let row = try cut(record, place.target, place.variant, upTo: .first)
            return try row == cut(other, place.target, place.variant, upTo: .newest)
        }
    }
}

/// The stored record is of the release that knew only the first version of rows.
@Test func `rows for who says nothing are those of the release before`() throws {
    let stored = GoldenRecord(name: "bubble", sheet: .bubble).file("record", in: "Previous/")
    let (old, new) = (try LayoutRecord([UInt8](Data(contentsOf: stored))), try LayoutRecord(record(of: .drawn)))
    #expect(old.rowVersion == .first && new.rowVersion == .second)
    for target in old.targets.indices {
        for variant in 0..<old.variantCount {
            let row = try cut(new, target, variant, upTo: .first)
            #expect(try row == cut(old, target, variant, upTo: .newest))
            #expect(row[0] == 1)
        }
    }
}

@Test(arguments: [0, 5, 6, 255] as [UInt8])
func `a row of a version that is not known is refused by its number`(version: UInt8) throws {
    var row = try cut(LayoutRecord(record(of: .drawn)), 0, 0, upTo: .newest)
    #expect(row[0] == 3)
    row[0] = version
    var page = LayoutRows()
    #expect(page.refuses(row) == .unknownVersion(version))
    #expect(throws: ByteError.unknownVersion(version)) { try RowLines(row) }
    #expect(!RowExcerpt.isOne(row))
}

@Test func `rows of both versions stand in one page, each as it is by itself`() throws {
    let record = try LayoutRecord(record(of: .drawn))
    var page = LayoutRows()
    for version in [RowVersion.first, .second, .second, .first] {
        try page.append(cut(record, 0, 0, upTo: version))
    }
    let drawings = (0..<4).map { page.skeleton(of: $0).drawing }
    #expect(drawings[0] == nil && drawings[3] == nil)
    #expect(drawings[1] == LayoutSheet.drawn.skeleton.drawing && drawings[2] == drawings[1])
}

@Test(arguments: [(0, 0), (1, 1), (2, 0)] as [(UInt8, UInt8)])
func `a path that leads nowhere is refused`(element: UInt8, word: UInt8) throws {
    // No words and no elements; a text whose words are made of a field.
    let bytes: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] + [0, 0, 1, element, word, 0]
    var page = LayoutRows()
    #expect(page.refuses(bytes) != nil)
}

@Test func `what drawing needs takes few bytes`() throws {
    #expect(try record(of: .drawn).count <= record(of: .bubble).count + 64)
    var bare = LayoutSheet.bubble
    bare.skeleton.drawing = Skeleton.Drawing()
    bare.skeleton.drawing?.texts = bare.skeleton.texts.map { _ in .init(face: TextFace(weight: 700)) }
    bare.skeleton.drawing?.subjects = bare.skeleton.nodes.map { _ in .none }
    #expect(try record(of: bare).count <= record(of: .bubble).count + 16)
}

private func record(of sheet: LayoutSheet) throws -> [UInt8] {
    var encoder = RecordEncoder()
    return try encoder.bytes(of: sheet)
}

private func cut(_ record: LayoutRecord, _ target: Int, _ variant: Int, upTo version: RowVersion) throws -> [UInt8] {
    var cutter = RecordCutter()
    var row: [UInt8] = []
    try cutter.cut(record, target: target, variant: variant, upTo: version, into: &row)
    return row
}

@Test func `lines that were cut in joined letters say so in rows of version 2, and in no others`() throws {
    let sheet = LayoutSheet.joined
    var bare = sheet
    for i in bare.lines.indices { bare.lines[i].traits.subtract([.beginsJoined, .endsJoined]) }
    let (joined, other) = (try LayoutRecord(record(of: sheet)), try LayoutRecord(record(of: bare)))
    let newest = try cut(joined, 0, 0, upTo: .newest)
    var page = LayoutRows()
    try page.append(newest)
    let text = page.model(row: 0, state: 0).shownLines(of: 2)
    #expect(text.count > 2)
    for (i, line) in text.enumerated() {
        #expect(line.traits.contains(.beginsJoined) == (i > 0))
        #expect(line.traits.contains(.endsJoined) == (i < text.count - 1))
    }
    for place in sheet.places {
        let row = try cut(joined, place.target, place.variant, upTo: .first)
        #expect(try row == cut(other, place.target, place.variant, upTo: .first))
    }
}

@Test func `lines that were cut within letters of another direction say so in rows of version 2, and in no others`()
    throws
{
    let traits: [LineTraits] = [
        .endsTurned, [.beginsTurned, .endsTurned], [.beginsArabic, .endsJoined], .beginsArabic,
    ]
    let sheet = LayoutSheet.turned(traits)
    let (turned, other) = (
        try LayoutRecord(record(of: sheet)), try LayoutRecord(record(of: .turned([[]])))
    )
    #expect(try turned.sheet().hasSameLayouts(as: sheet))
    var page = LayoutRows()
    try page.append(cut(turned, 0, 0, upTo: .newest))
    let told = Set(page.model(row: 0, state: 0).shownLines(of: 2).map { $0.traits.intersection(.cut).rawValue })
    #expect(told == Set(traits.map(\.rawValue)))
    for place in sheet.places {
        let row = try cut(turned, place.target, place.variant, upTo: .first)
        #expect(try row == cut(other, place.target, place.variant, upTo: .first))
    }
}

extension LineTraits {
    fileprivate static let cut: LineTraits = [.beginsJoined, .endsJoined, .beginsTurned, .beginsArabic, .endsTurned]
}

extension LayoutSheet {
    /// A sheet whose lines were cut in these ways, in turn.
    fileprivate static func turned(_ traits: [LineTraits]) -> LayoutSheet {
        var sheet = joined
        for i in sheet.lines.indices {
            sheet.lines[i].traits.subtract(.cut)
            sheet.lines[i].traits.formUnion(traits[i % traits.count])
        }
        return sheet
    }

    /// The bubble, with something of everything that drawing needs.
    static let drawn = bubble.withDrawing()

    /// A word that is wider than any screen, and all of whose letters join.
    static let joined: LayoutSheet = {
        var text = MeasuredText.monospaced(String(repeating: "abcdefghij", count: 14))
        for i in 1..<text.count { text.joins.insert(i) }
        return BubbleComposer.sheet(of: text).withDrawing()
    }()
}
