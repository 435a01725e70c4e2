import FormeLayout
import Foundation
import JSON
import MessageLayout

extension Command {
    static let layout = Command(
        name: "layout",
        summary: "lays out one message, and shows it",
        usage: """
            usage: forme layout [--style FILE] < message.json

            \(FontOption.usage)
            """
    ) { words in
        let arguments = try Arguments(words, of: "layout", options: [FontOption.name, "style"])
        let style = try StyleFiles.open(arguments.text("style") ?? "config/styles/bubble.json5")
        var engine = try LayoutEngine(style: style, fonts: FontOption.loader(arguments)())
        let bytes = Array(FileHandle.standardInput.readDataToEndOfFile())
        let value = try JSONValue.parse(bytes)
        let sheet = try engine.layOut(JSONReader(value))
        for variant in 0..<Int(sheet.variantCount) {
            for target in sheet.targets.indices {
                let slice = sheet.slice(target: target, variant: variant)
                print(variant, sheet.targets[target].rowPixels, slice)
                for (n, node) in sheet.skeleton.nodes.enumerated() {
                    let p = sheet.placements[Int(slice.placements) + n]
                    if p.isPresent { print("   ", sheet.skeleton.text(of: node.part), node.pins.rawValue, p.frame, p.block >= 0 ? "\(sheet.lines[Int(sheet.blocks[Int(p.block)].lines.lowerBound)..<Int(sheet.blocks[Int(p.block)].lines.upperBound)].map { "\($0.start)-\($0.end) \($0.left)+\($0.width)" })" : "") }
                }
            }
        }
        print(sheet.slices.count, sheet.skeleton)
    }
}
