import Bytes
import JSON
import MessageLayout
import Record
import TestSupport
import Testing
import Typography

// Screens that are solved together are solved as each would be alone: with one target, all lanes are the same.

@Test(arguments: Kinds.styles, [1, 3, 13, 16, 17, 33, 64])
func `a screen has the layouts beside others that it has alone`(name: String, count: Int) throws {
    let style = try Kinds.style(name)
    try compare(count, seeds: 4) { _ in style }
}

@Test(arguments: Kinds.styles)
func `a screen has the layouts beside others that it has alone in a style of other lengths`(name: String) throws {
    let source = try StyleSource(name)
    try compare(17, seeds: 12) { random in
        var changed = source
        changed.style = source.style.changed("lengths") { $0.stretched(using: &random) }
        return try changed.sheet()
    }
}

extension JSONValue {
    /// The lengths of a style, each of them up to one and a half times as long, or down to the half.
    fileprivate func stretched(using random: inout SplitMix64) -> JSONValue {
        let members = (object?.members ?? []).map { member in
            guard let length = member.value.number?.integer, length > 1 else { return member }
            let stretched = length * .random(in: 50...150, using: &random) / 100
            return JSONObject.Member(member.key, .number(JSONNumber(max(1, stretched))))
        }
        return .object(JSONObject(members))
    }
}

/// Compares the layouts of messages on so many screens at once with those on each of them alone.
private func compare(_ count: Int, seeds: UInt64, in style: (inout SplitMix64) throws -> StyleSheet) throws {
    forEachSeed(seeds) { random in
        let style = try style(&random)
        let messages = RandomMessages(style)
        let targets = (0..<count).map { _ in Target.random(using: &random) }
        let letter: Character? = [nil, "x", "א"].randomElement(using: &random)!
        var together = MonospacedLayout(style, targets: targets, letter: letter)
        let kinds = (0..<4).map { _ in messages.message(using: &random).message }
        let sheets = try kinds.map { try together.layOut($0) }
        for target in targets.indices {
            var alone = MonospacedLayout(style, targets: [targets[target]], letter: letter)
            for (message, sheet) in zip(kinds, sheets) {
                guard try alone.layOut(message).isAlike(sheet, at: target) else { return false }
            }
        }
        return true
    }
}

extension LayoutSheet.Reach {
    fileprivate func holds(_ target: Target) -> Bool {
        let row = target.rowPixels
        return narrowest <= row && row <= widest
    }
}

extension LayoutSheet {
    /// Whether the only target of this sheet has the same layouts as in another sheet, apart from their reach.
    fileprivate func isAlike(_ other: LayoutSheet, at target: Int) -> Bool {
        guard variantCount == other.variantCount else { return false }
        return (0..<Int(variantCount)).allSatisfy { variant in
            (0..<Int(other.stateCount)).allSatisfy { state in
                var own = model(target: 0, variant: variant, state: min(state, Int(stateCount) - 1))
                var its = other.model(target: target, variant: variant, state: state)
                (own.reach, its.reach) = (.unlimited, .unlimited)
                (own.skeleton, its.skeleton) = (Skeleton(), Skeleton())
                // For a text that is cut on another screen, the sheet has parts that are not present on this one.
                own.placements.removeAll { !$0.isPresent }
                its.placements.removeAll { !$0.isPresent }
                return own == its
            }
        }
    }
}

@Test(arguments: Kinds.styles)
func `a record is the same whatever its encoder wrote before`(name: String) throws {
    let style = try Kinds.style(name)
    var targets: [Target] = []
    for scale in [2000, 2625] as [Int32] {
        for (percent, isMirrored) in [(100, false), (100, true), (200, false)] as [(Int32, Bool)] {
            targets += [600, 480, 360, 349, 320, 240].map {
                Target(
                    width: .points($0), scale: Scale(thousandths: scale), textScale: TextScale(percent: percent),
                    isMirrored: isMirrored)
            }
        }
    }
    var layouts = MonospacedLayout(style, targets: targets)
    var others = MonospacedLayout(style, targets: targets.reversed(), letter: "א")
    var encoder = RecordEncoder()
    let messages = RandomMessages(style)
    forEachSeed(200) { random in
        let kind: String? = Bool.random(using: &random) ? "text" : nil
        let message = messages.message(of: kind, using: &random).message
        // From time to time sheets of other targets.
        let isOther = Int.random(in: 0..<8, using: &random) == 0
        let sheet = try isOther ? others.layOut(message) : layouts.layOut(message)
        var record: [UInt8] = []
        try encoder.encode(sheet, into: &record)
        var other = RecordEncoder()
        var expected: [UInt8] = []
        try other.encode(sheet, into: &expected)
        return record == expected
    }
}

/// 350 points are 962.5 pixels at a scale of 2.75: the row has 962 of them.
@Test(arguments: Kinds.styles)
func `a screen on which a class begins within a pixel has a record, whose layouts hold for its row`(
    name: String
) throws {
    var targets: [Target] = []
    for width in [350, 600] as [Int32] {
        targets += [2812, 2750, 2625].map { Target(width: .points(width), scale: Scale(thousandths: $0)) }
    }
    var layout = MonospacedLayout(try Kinds.style(name), targets: targets)
    let sheet = try layout.layOut(Kinds.messages("text")[0])
    var encoder = RecordEncoder()
    var record: [UInt8] = []
    try encoder.encode(sheet, into: &record)
    #expect(zip(targets, sheet.reaches).allSatisfy { $1.holds($0) })
    #expect(try LayoutRecord(record).sheet().reaches == sheet.reaches)
}

/// A soft hyphen at the end of a paragraph is not shown, and yet needs room: widths a little larger than the text
/// break it, and wider ones do not. No screen may take over the result of a wider one.
@Test func `a text that ends in a soft hyphen breaks on each screen as it does alone`() throws {
    let style = try Kinds.style("bubble")
    let message = JSONValue.object(
        JSONObject([.init("kind", .string("text")), .init("text", .string("see you tomorrow \u{AD}"))]))
    let targets = (100...260).map { Target(width: .points(360 - $0), scale: Scale(thousandths: 2000)) }
    var together = MonospacedLayout(style, targets: targets)
    let sheet = try together.layOut(message)
    for target in targets.indices {
        var alone = MonospacedLayout(style, targets: [targets[target]])
        let own = try alone.layOut(message)
        #expect(own.isAlike(sheet, at: target))
        // The layouts hold for all of these screens that their reach names.
        for other in targets.indices where own.reaches[0].holds(targets[other]) {
            #expect(own.isAlike(sheet, at: other))
        }
    }
}
