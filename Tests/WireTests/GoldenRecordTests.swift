import Foundation
import MessageLayout
import TestSupport
import Testing
import Typography
import Wire

/// Records as they were written once, and what is in them. After a change that is meant, write them anew:
///
///     FORME_WRITE_FIXTURES=1 swift test --filter WireTests.records
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
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Project.file("Tests/WireTests/decode_record.py").path]
    process.standardInput = try FileHandle(forReadingFrom: golden.file("record"))
    process.standardOutput = output
    try process.run()
    let told = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let expected = try JSONDecoder().decode(ToldRecord.self, from: Data(contentsOf: golden.file("json")))
    #expect(try JSONDecoder().decode(ToldRecord.self, from: told) == expected)
}

struct GoldenRecord: Sendable, CustomTestStringConvertible {
    var name: String
    var sheet: LayoutSheet

    var testDescription: String { name }

    func file(_ kind: String) -> URL { Project.file("Tests/WireTests/Fixtures/\(name).\(kind)") }

    /// A plain message, and sheets in which everything occurs that can.
    static let all: [GoldenRecord] =
        [GoldenRecord(name: "bubble", sheet: .bubble)]
        + [3, 21, 40, 77].map { (seed: UInt64) in
            var samples = SheetSamples(random: SplitMix64(seed: seed))
            return GoldenRecord(name: "random-\(seed)", sheet: samples.sheet())
        }
}

/// All layouts of a record, as JSON tells them.
struct ToldRecord: Codable, Equatable {
    /// Width in 1/64 point, scale, text scale, mirrored.
    var targets: [[Int32]]
    var layouts: [Layout]

    struct Layout: Codable, Equatable {
        var target: Int
        var variant: Int
        var state: Int
        var size: [Int32]
        var rows: [Int32]
        var stamp: UInt8
        var natural: Int32
        var nodes: [Node?]
    }

    struct Node: Codable, Equatable {
        var frame: [Int32]
        var radius: Int32
        var fill: [Int32]
        /// Size, pitch, ascent.
        var font: [Int32]
        var lines: [[Int32]]
        var spans: [[Int32]]
        var bars: [UInt8]
    }

    init(_ sheet: LayoutSheet) {
        targets = sheet.targets.map {
            [$0.width.raw, $0.scale.thousandths, $0.textScale.percent, $0.isMirrored ? 1 : 0]
        }
        layouts = sheet.places.map { place in
            let model = sheet.model(target: place.target, variant: place.variant, state: place.state)
            return Layout(
                target: place.target, variant: place.variant, state: place.state,
                size: [model.size.width, model.size.height], rows: [model.reach.narrowest, model.reach.widest],
                stamp: model.stamp.rawValue, natural: model.reach.naturalWidth,
                nodes: model.placements.map { $0.isPresent ? Node($0, of: model) : nil })
        }
    }
}

extension ToldRecord.Node {
    fileprivate init(_ placement: LayoutSheet.Placement, of model: LayoutModel) {
        let frame = placement.frame
        self.frame = [frame.left, frame.top, frame.width, frame.height]
        radius = placement.radius
        fill = [placement.fill.width, placement.fill.height]
        (font, lines, spans) = ([], [], [])
        bars = placement.bars.map { model.bars[Int($0)] }
        guard placement.block >= 0 else { return }
        let block = model.blocks[Int(placement.block)]
        font = [block.fontSize, block.pitch, block.ascent]
        lines = block.lines.map {
            let line = model.lines[Int($0)]
            return [line.start, line.end, line.left, line.width, line.traits.rawValue]
        }
        spans = block.spans.map {
            let span = model.spans[Int($0)]
            return [span.entity, span.line, span.left, span.width]
        }
    }
}
