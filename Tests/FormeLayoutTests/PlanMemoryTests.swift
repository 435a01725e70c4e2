import JSON
import TestSupport
import Testing
import Typography

@testable import MessageLayout

private let words = ["see", "you **at** nine", "_soon_", "`code`", "plain words", "@ada", "<b>"]

/// Markdown of a few blocks. Many texts have the same parts, and none the same words.
private func markdown(using random: inout SplitMix64) -> String {
    let starts = ["", "", "- ", "  - ", "1. ", "> ", "## ", "> - "]
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in
        // A code block has the parts of a paragraph, but is of another kind.
        if Int.random(in: 0..<4, using: &random) == 0 { return "```\n\(words.randomElement(using: &random)!)\n```" }
        let link = Int.random(in: 0..<12, using: &random) == 0 ? " [there](https://example.org)" : ""
        return starts.randomElement(using: &random)! + words.randomElement(using: &random)!
            + " \(Int.random(in: 0...999, using: &random))" + link
    }.joined(separator: Bool.random(using: &random) ? "\n\n" : "\n")
}

@Test(arguments: Kinds.styles)
func `a message is laid out alike, whatever plans are remembered`(style: String) throws {
    let sheet = try Kinds.style(style)
    let messages = RandomMessages(sheet)
    let targets = [320, 414].map { Target(width: .points($0), scale: .two) }
    var remembering = MonospacedLayout(sheet, targets: targets)
    let kinds = ["rich", "rich", "poll", "album", "text", nil]
    forEachSeed(600) { random in
        let kind = kinds.randomElement(using: &random)!
        var message = messages.message(of: kind, using: &random).message
        if kind == "rich" { message = message.with("text", as: .string(markdown(using: &random))) }
        var fresh = MonospacedLayout(sheet, targets: targets)
        return try remembering.layOut(message) == fresh.layOut(message) && remembering.stored == fresh.stored
    }
}

@Test func `a plan is made as far as a message may have nodes, and whole where it has no more`() throws {
    let sheet = try Kinds.style("bubble")
    func nodes(_ items: Int, atMost most: Int) throws -> Int {
        let text = Array(repeating: "- a", count: items).joined(separator: "\\n")
        let message = try JSONValue.parse(Array(#"{"kind": "rich", "text": "\#(text)"}"#.utf8))
        let measure: Composer.Measure = { _, _, result in result = .monospaced("a") }
        var composer = Composer(sheet, texts: StyleTexts(sheet, measure: measure), mostNodes: most)
        return try composer.layOut(JSONReader(message), measure: measure).skeleton.nodes.count
    }
    let whole = try nodes(20, atMost: .max)
    let limited = try nodes(20, atMost: whole)
    let long = try nodes(4000, atMost: whole)
    #expect(limited == whole && long > whole && long < 2 * whole)
}

@Test func `a plan of stored facts is remembered, however many others there were`() throws {
    let sheet = try Kinds.style("bubble")
    let template = try #require(sheet.template(for: "text"))
    func facts(_ number: Int) throws -> PlanFacts {
        var bytes: [UInt8] = [0, 4]
        bytes += "text".utf8
        bytes += [2, UInt8(number & 255), UInt8(number >> 8), 0, 0]
        return try PlanFacts(decoding: bytes[...])
    }
    func plan(_ facts: PlanFacts, _ memory: inout PlanMemory) {
        _ = memory.plan(facts, showing: nil, template: template, sheet: sheet, expectsCuts: false)
    }
    let last = try facts(999)
    /// The time to plan one message again and again, behind so many others.
    func time(behind others: Int) throws -> Duration {
        var memory = PlanMemory()
        for number in 0..<others { plan(try facts(number), &memory) }
        return processorTime { for _ in 0..<200 { plan(last, &memory) } }
    }
    let isRemembered = try (0..<3).contains { _ in try time(behind: 600) < time(behind: 0) * 4 + .milliseconds(1) }
    #expect(isRemembered)
}
