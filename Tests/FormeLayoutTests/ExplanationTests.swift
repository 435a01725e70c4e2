import FormeLayout
import Foundation
import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

@Test(arguments: ["bubble", "flat"])
func `an explanation agrees with the layout, and names what ends its reach`(style: String) throws {
    let sheet = try StyleFiles.open(Project.file("config/styles/\(style).json5").path)
    let list = Project.file("config/fonts.json5").path
    let fonts = try FontCatalog().open(
        FontConfiguration.families(Array(try Data(contentsOf: URL(filePath: list))), from: list))
    let targets = [
        Target(width: .points(320), scale: .two), Target(width: .points(375), scale: .three, isMirrored: true),
    ]
    var engine = try LayoutEngine(style: sheet, fonts: fonts, targets: targets)
    for message in try fixtures() {
        let reader = JSONReader(message)
        let sheet = try engine.layOut(reader)
        for target in targets.indices {
            let model = sheet.model(target: target, variant: 1)
            let explanation = try engine.explain(reader, target: target, variant: 1, isExpanded: false)
            #expect(explanation.size == model.size && explanation.stamp == model.stamp, "\(message)")
            let there = explanation.parts.filter { $0.fate == .isThere }
            let isBounded = explanation.reach.slack != nil && there.contains { $0.room?.isElastic == true }
            #expect(there.contains(where: \.endsNarrower) == isBounded, "\(message)")
            #expect(there.contains(where: \.endsWider) != explanation.reach.isWiderOpen, "\(message)")
            #expect(there.allSatisfy { $0.asked == nil || $0.room != nil })
            // The explanation names every part that the layout shows, however deep in the template it stands.
            let shown = model.placements.indices.filter { model.placements[$0].isPresent }
                .map { model.skeleton.text(of: model.skeleton.nodes[$0].part) }.filter { !$0.isEmpty }
            #expect(Set(shown).subtracting(there.map(\.name)) == [], "\(message)")
        }
    }
}

private func fixtures() throws -> [JSONValue] {
    let folder = Project.file("Tests/MessageLayoutTests/Fixtures/kinds")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.flatMap { file in
        try Project.lines(of: file).prefix(3).map { try JSONValue.parse(Array($0.utf8)) }
    }
}
