import Bytes
import MessageLayout
import TestSupport
import Testing
import Typography

@testable import Record

// Reading costs at most a multiple of the bytes, whatever they are.

private func fault(of bytes: [UInt8]) -> ByteError? {
    var cutter = RecordCutter()
    var row: [UInt8] = []
    do throws(ByteError) {
        try cutter.cut(LayoutRecord(bytes), target: 0, variant: 0, into: &row)
        return nil
    } catch {
        return error
    }
}

private func record(nodes: Int, texts: Int, _ add: (inout LayoutSheet) -> LayoutSheet.Placement) throws -> [UInt8] {
    var sheet = LayoutSheet()
    sheet.skeleton.texts = Array(repeating: Skeleton.Text(), count: texts)
    for number in 0..<Int32(nodes) {
        var node = Skeleton.Node()
        node.text = number < texts ? number : -1
        sheet.skeleton.nodes.append(node)
    }
    sheet.begin([Target(width: .points(320), scale: .two)], variants: 1, states: 1)
    sheet.reaches = [.unlimited]
    let slice = LayoutSheet.Slice(size: PixelSize(width: 400, height: 400), stamp: .none, placements: 0)
    let placements = (0..<nodes).map { _ in add(&sheet) }
    sheet.set(slice, placements, target: 0, variant: 0)
    var encoder = RecordEncoder()
    return try encoder.bytes(of: sheet)
}

@Test func `a row of a damaged record grows no longer than a row may be`() throws {
    let bytes = try record(nodes: 1024, texts: 0) { _ in
        LayoutSheet.Placement(frame: PixelRect(left: 154, top: 156, width: 158, height: 160))
    }
    #expect(fault(of: bytes) == nil)
    // The only place that it has, of all nodes: 77, 79, 78 and 80 points. The last number gets far too many bytes.
    let place: [UInt8] = [1, 3, 77, 79, 78, 80]
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: place) })
    let long: [UInt8] = Array(repeating: 0x80, count: 4096) + [0]
    let found = fault(of: Array(bytes[..<(start + 5)]) + long + bytes[(start + 6)...])
    guard case .tooLong(let count, limit: RecordLimits.row, of: "row")? = found else {
        Issue.record("\(String(describing: found))")
        return
    }
    #expect(count <= RecordLimits.row + 5000)
}

@Test func `a block that is longer than its record says is refused`() throws {
    let bytes = try record(nodes: 2, texts: 2) { sheet in
        let line = Int32(sheet.lines.count)
        sheet.lines.append(.init(start: 0, end: 9, left: 0, width: 150, traits: .lastOfParagraph))
        sheet.blocks.append(.init(fontSize: 2048, pitch: 44, ascent: 34, lines: line..<line + 1, spans: 0..<0))
        return LayoutSheet.Placement(frame: PixelRect(left: 0, top: 0, width: 150, height: 44), block: line)
    }
    #expect(fault(of: bytes) == nil)
    // Both blocks are the same, and so are their lengths, of a one and seven bits each. The first one becomes 0, and
    // the second that of both: then both begin at the same bit, and the end is where it was.
    let layouts = try LayoutRecord(bytes).parts.layouts
    let bits = layouts.flatMap { place in (0..<8).map { bytes[place] >> $0 & 1 } }
    func code(_ length: Int) -> [UInt8] { [1] + (0..<7).map { UInt8(length >> $0 & 1) } }
    let faults = (1..<64).flatMap { length in
        bits.indices.filter { bits[$0...].starts(with: code(length) + code(length)) }.map { place -> ByteError? in
            var damaged = bytes
            for (i, bit) in (code(0) + code(2 * length)).enumerated() {
                let (byte, shift) = (layouts.lowerBound + (place + i) / 8, UInt8((place + i) % 8))
                damaged[byte] = damaged[byte] & ~(1 << shift) | bit << shift
            }
            return fault(of: damaged)
        }
    }
    #expect(faults.contains { if case .outOfRange(_, of: "length")? = $0 { true } else { false } })
}
