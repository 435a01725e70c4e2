import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

private func message(_ kind: String, _ lines: [String]) throws -> JSONReader {
    let text = lines.joined(separator: "\\n")
    return JSONReader(try JSONValue.parse(Array(#"{"kind": "\#(kind)", "text": "\#(text)"}"#.utf8)))
}

/// An engine for one screen.
private func engine() throws -> LayoutEngine {
    let style = try Kinds.style("bubble")
    return try Kinds.engine(style, targets: Array(style.targets.prefix(1)))
}

@Test func `lines with a tag each are laid out in time in proportion to their number`() throws {
    var engine = try engine()
    let few = try message("text", Array(repeating: "#a", count: 1000))
    let many = try message("text", Array(repeating: "#a", count: 8000))
    var isLinear = false
    // Caches of the machine may spoil a measurement, but not all of them.
    for _ in 0..<3 where !isLinear {
        let short = try processorTime { _ = try engine.layOut(few) }
        let long = try processorTime { _ = try engine.layOut(many) }
        isLinear = long < short * 24 + .milliseconds(4)  // 64 times as long when quadratic
    }
    #expect(isLinear)
}

@Test func `each line has rectangles of the entities that it has a part of, in their order`() throws {
    var engine = try engine()
    let sheet = try engine.layOut(message("rich", ["||a #b", "[c](d) ||e", "f|| @gh", "i|| #j"]))
    var found: Set<[[Int32]]> = []
    for block in sheet.blocks where !block.spans.isEmpty {
        let spans = sheet.spans[Int(block.spans.lowerBound)..<Int(block.spans.upperBound)]
        found.insert(spans.map { [$0.line, $0.entity] })
    }
    // The link and the spoiler are of Markdown, and come before what is found in the words.
    #expect(found == [[[0, 2], [1, 0], [1, 1], [2, 1], [2, 3], [3, 4]]])
}
