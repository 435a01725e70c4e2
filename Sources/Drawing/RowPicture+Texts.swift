import MessageLayout
import Rows
import Typography
import Wire

extension RowPicture {
    /// Draws each line on its baseline, in the face that the row names, with the words of the message.
    mutating func drawText(_ place: Int, _ node: Skeleton.Node) {
        guard node.text >= 0, model.placements[place].block >= 0 else { return }
        let text = model.skeleton.texts[Int(node.text)]
        if part(of: place) == "time", text.literal != 0 { return drawTime(place, node) }
        let lines = model.shownLines(of: place)
        guard let units = said.units(of: Int(node.text), source: source(of: place), in: model.skeleton) else {
            return drawMissing(lines)
        }
        drawEntities(of: place, text, .code, "code", corner: 3)
        for line in lines {
            let stretches = LineText(line, of: units, in: text).stretches
            guard !stretches.isEmpty else { continue }
            let isRightToLeft = line.traits.contains(.rightToLeft)
            var attributes = letters(of: place, node)
            attributes += [("x", isRightToLeft ? line.frame.right : line.frame.left), ("y", line.baseline)]
            if isRightToLeft { attributes.append(("direction", "rtl")) }
            markup.text(stretches, attributes)
        }
        drawEntities(of: place, text, .spoiler, "spoiler", corner: 4)
    }

    /// Draws the time in its slot, at the end or in the middle: its words depend on the reader's clock.
    private mutating func drawTime(_ place: Int, _ node: Skeleton.Node) {
        guard let line = model.shownLines(of: place).first, let milliseconds = said.milliseconds else { return }
        let words = String(decoding: ClockText(milliseconds: milliseconds, for: viewer).units, as: UTF16.self)
        let frame = frame(of: place)
        let isCentred = model.skeleton.texts[Int(node.text)].alignment == .center
        let edge = target.isMirrored ? frame.left : frame.right
        var attributes =
            letters(of: place, node) + [("x", isCentred ? frame.left &+ frame.width / 2 : edge), ("y", line.baseline)]
        if isCentred {
            attributes.append(("text-anchor", "middle"))
        } else if !target.isMirrored {
            attributes.append(("text-anchor", "end"))
        }
        markup.text(words, attributes)
    }

    /// Draws bars in the place of words that are not known.
    private mutating func drawMissing(_ lines: [LayoutModel.ShownLine]) {
        for line in lines {
            let height = Double(line.frame.height) * 0.4
            markup.element(
                "rect",
                [
                    ("class", "missing"), ("x", line.frame.left), ("y", Double(line.baseline) - height),
                    ("width", line.frame.width),
                    ("height", height), ("rx", height / 2),
                ])
        }
    }

    private mutating func drawEntities(
        of place: Int, _ text: Skeleton.Text, _ kind: Skeleton.Text.Entity.Kind, _ name: String, corner: Double
    ) {
        guard text.entities.contains(where: { $0.kind == kind }) else { return }
        for (entity, frames) in zip(text.entities, model.entityFrames(in: place)) where entity.kind == kind {
            for frame in frames {
                let inset = pixels(2)
                markup.element(
                    "rect",
                    [
                        ("class", name), ("x", Double(frame.left) - inset), ("y", Double(frame.top) + inset / 2),
                        ("width", Double(frame.width) + 2 * inset), ("height", Double(frame.height) - inset),
                        ("rx", pixels(corner)),
                    ])
            }
        }
    }

    /// Size, face and colour of a text.
    private func letters(of place: Int, _ node: Skeleton.Node) -> Markup.Attributes {
        let size = Double(model.blocks[Int(model.placements[place].block)].fontSize) / 64
        let face = model.skeleton.drawing?.texts[Int(node.text)].face ?? .regular
        var classes = ink(of: place, node)
        if face.isMonospaced { classes.append("monospaced") }
        var attributes: Markup.Attributes = [("font-size", size)]
        if !classes.isEmpty { attributes.append(("class", classes.joined(separator: " "))) }
        if face.weight != 400 { attributes.append(("font-weight", Int32(face.weight))) }
        if face.isItalic { attributes.append(("font-style", "italic")) }
        // The language decides on the fonts in `PictureSheet`. Words of the style's own are in no language of a message.
        if said.language != .none, model.skeleton.texts[Int(node.text)].literal == 0 {
            attributes.append(("lang", said.language.description))
        }
        return attributes
    }

    private func ink(of place: Int, _ node: Skeleton.Node) -> [String] {
        if ground(of: place) == .dark { return ["over"] }
        switch token(of: place) {
        case "name": return [Hue(of: said.sender.isEmpty ? said.name : said.sender).text]
        case "accent", "link": return ["link"]
        case "faint": return ["faint"]
        default: break
        }
        if ground(of: place) == .button { return ["link"] }
        return node.role == .stamp || ["time", "edited"].contains(part(of: place)) ? ["faint"] : []
    }
}
