import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

@Test(arguments: Kinds.styles)
func `the road for texts in a bubble ends where the road for all kinds does`(name: String) throws {
    let style = try Kinds.style(name)
    let targets = [240, 320, 360, 600].map { Target(width: .points($0), scale: Scale(thousandths: 2625)) }
    for isMirrored in [false, true] {
        var usual = MonospacedLayout(style, targets: targets.map { $0.mirrored(isMirrored) })
        var other = MonospacedLayout(style, targets: targets.map { $0.mirrored(isMirrored) })
        other.takesRoads = false
        forEachSeed(200) { random in
            let letters = ["a", "b ", "אב ", "\n", "long", "."]
            let text = (0..<Int.random(in: 1...80, using: &random)).map { _ in letters.randomElement(using: &random)! }
            var members = [
                JSONObject.Member("kind", .string("text")), JSONObject.Member("text", .string(text.joined())),
            ]
            if Bool.random(using: &random) { members.append(.init("name", .string("A name of someone"))) }
            if Bool.random(using: &random) { members.append(.init("edited", .bool(true))) }
            let message = JSONValue.object(JSONObject(members))
            return try usual.layOut(message).models == other.layOut(message).models
        }
        for kind in Kinds.names {
            for message in try Kinds.messages(kind) {
                #expect(try usual.layOut(message).models == other.layOut(message).models, "\(kind)")
            }
        }
    }
}

extension Target {
    fileprivate func mirrored(_ isMirrored: Bool) -> Target {
        Target(width: width, scale: scale, textScale: textScale, isMirrored: isMirrored)
    }
}

extension LayoutSheet {
    /// All layouts, in whatever order their blocks were written.
    fileprivate var models: [LayoutModel] {
        targets.indices.flatMap { target in
            (0..<Int(variantCount)).flatMap { variant in
                (0..<Int(stateCount)).map { model(target: target, variant: variant, state: $0) }
            }
        }
    }
}
