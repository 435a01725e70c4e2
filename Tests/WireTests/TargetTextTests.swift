import MessageLayout
import TestSupport
import Testing
import Typography
import Wire

@Test(arguments: [
    ("390@3", Target(width: .points(390), scale: .three)),
    (
        "390.5@2.625,130",
        Target(width: Fixed(raw: 24_992), scale: Scale(thousandths: 2625), textScale: TextScale(percent: 130))
    ),
    ("320@2,mirrored", Target(width: .points(320), scale: .two, isMirrored: true)),
])
func `a screen is written as people write it`(text: String, target: Target) {
    #expect(target.text == text)
    #expect(Target(text: text) == target)
}

@Test func `every screen is read as it is written`() {
    forEachSeed(500) { random in
        var target = random.target()
        target.width = Fixed(raw: .random(in: 64...1_048_576, using: &random))
        return Target(text: target.text) == target
    }
}

@Test(arguments: ["", "390", "390@", "@3", "0@3", "390@9", "390@3,", "390@3,24", "390@3,100,100", "nan@3", "390@3@3"])
func `what is no screen is none`(text: String) {
    #expect(Target(text: text) == nil)
}
