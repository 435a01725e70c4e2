import JSON
import MessageLayout
import Record
import TestSupport
import Testing
import Typography
import Wire

@Test(arguments: Kinds.styles)
func `a record is the same whatever its encoder knows of arrangements`(name: String) throws {
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
    var others = MonospacedLayout(style, targets: targets, letter: "א")
    var encoder = RecordEncoder()
    let messages = RandomMessages(style)
    forEachSeed(200) { random in
        let kind: String? = Bool.random(using: &random) ? "text" : nil
        let message = messages.message(of: kind, using: &random).message
        // From time to time somebody else's sheets, whose arrangements have the same numbers.
        let isOther = Int.random(in: 0..<8, using: &random) == 0
        var sheet = try isOther ? others.outline(message) : layouts.outline(message)
        var record: [UInt8] = []
        try encoder.encode(sheet, into: &record)
        sheet.unfold()
        for i in sheet.slices.indices { sheet.slices[i].arrangement = -1 }
        var other = RecordEncoder()
        var expected: [UInt8] = []
        try other.encode(sheet, into: &expected)
        return record == expected
    }
}
