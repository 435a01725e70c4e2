import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Typography

@testable import Drawing

/// A layout that is looked at.
struct Seen {
    var name: String
    var model: LayoutModel
    var target: Target
    var variant: Int

    func pixels(_ points: Int32) -> Int32 { points * target.scale.thousandths / 1000 }
    func part(of node: Int) -> String { model.skeleton.text(of: model.skeleton.nodes[node].part) }
    func frame(of node: Int) -> PixelRect { model.placements[node].frame }
    func lines(of node: Int) -> [LayoutModel.ShownLine] { model.shownLines(of: node) }
    func all(_ part: String) -> [Int] {
        model.skeleton.nodes.indices.filter { self.part(of: $0) == part && model.placements[$0].isPresent }
    }
}

/// A message on each target and in each variant.
func seen(message: String, in style: String, on screens: [Target]? = nil) throws -> [Seen] {
    var studio = try screens.map { try Drawn.Studio(style, on: $0) } ?? Drawn.Studio(style)
    return try studio.seen(JSONValue.parse(Array(message.utf8)))
}

extension Drawn.Studio {
    mutating func seen(_ message: JSONValue) throws -> [Seen] {
        let sheet = try engine.layOut(JSONReader(message))
        let name = style.name
        let variants = style.variants
        return sheet.targets.indices.flatMap { target in
            (0..<Int(sheet.variantCount)).map { variant in
                Seen(
                    name: "\(name) on target \(target) as \(variants[variant])",
                    model: sheet.model(target: target, variant: variant), target: sheet.targets[target],
                    variant: variant)
            }
        }
    }
}
