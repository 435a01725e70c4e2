import JSON
import MessageLayout
import Rows
import Wire

extension RowPicture {
    /// Draws the stand-in for a picture: its blurhash where the message has one, otherwise a colour; and its
    /// description in words.
    mutating func drawMedia(_ place: Int, _ node: Skeleton.Node) {
        let (frame, source) = (frame(of: place), source(of: place))
        guard frame.width > 0, frame.height > 0 else { return }
        let words = said.string(at: source + ".alt") ?? ""
        markup.open("g", [("class", "picture"), ("role", "img")] + (words.isEmpty ? [] : [("aria-label", words)]))
        if !words.isEmpty { markup.title(words) }
        if token(of: place) == "map" {
            drawMap(place)
        } else if part(of: place) == "sticker" {
            drawSticker(frame)
        } else {
            drawPlaceholder(place, source)
        }
        markup.close("g")
    }

    private mutating func drawPlaceholder(_ place: Int, _ source: String) {
        let (frame, path) = (frame(of: place), outline(of: place).path)
        if let blurhash = said.string(at: source + ".blurhash").flatMap({ Blurhash($0) }) {
            let name = markup.clip(path)
            markup.element(
                "image",
                [
                    ("href", Bitmap.dataURL(blurhash.pixels(wide: 20, high: 20), wide: 20, high: 20)),
                    ("x", frame.left), ("y", frame.top),
                    ("width", frame.width), ("height", frame.height), ("preserveAspectRatio", "none"),
                    ("clip-path", "url(#\(name))"),
                ])
            return
        }
        let hue = Hue(of: said.sender + source + "\(frame.width % 7)")
        markup.element("path", [("d", path), ("fill", hue.picture)])
        let isPlayed = model.skeleton.nodes.indices.contains {
            part(of: $0) == "play" && model.placements[$0].isPresent
        }
        if !isPlayed { Glyph.picture.draw(in: frame, part: 0.34, "dim", into: &markup) }
    }

    /// Draws the emoji that the sticker is for, where the message names one.
    private mutating func drawSticker(_ frame: PixelRect) {
        guard let emoji = said.string(at: "emoji"), !emoji.isEmpty else {
            return Glyph.smile.draw(in: frame, part: 0.9, "link", into: &markup)
        }
        let size = Double(frame.height) * 0.74
        markup.text(
            String(emoji.prefix(1)),
            [
                ("x", Double(frame.left) + Double(frame.width) / 2),
                ("y", Double(frame.top) + Double(frame.height) * 0.76),
                ("text-anchor", "middle"), ("font-size", size),
            ])
    }

    /// Draws the streets of no town.
    private mutating func drawMap(_ place: Int) {
        let frame = frame(of: place)
        let name = markup.clip(outline(of: place).path)
        markup.open("g", [("clip-path", "url(#\(name))")])
        markup.element("path", [("class", "map"), ("d", outline(of: place).path)])
        let (left, top) = (Double(frame.left), Double(frame.top))
        let (width, height) = (Double(frame.width), Double(frame.height))
        func point(_ x: Double, _ y: Double) -> String { "\((left + x * width).markup) \((top + y * height).markup)" }
        markup.element(
            "path",
            [
                ("class", "water"),
                (
                    "d",
                    "M\(point(0, 0.74))C\(point(0.3, 0.6)) \(point(0.5, 1)) \(point(1, 0.82))L\(point(1, 1))L\(point(0, 1))z"
                ),
            ])
        for (path, wide) in [
            ("M\(point(-0.1, 0.3))L\(point(1.1, 0.52))", 0.07), ("M\(point(0.28, -0.1))L\(point(0.4, 1.1))", 0.05),
            ("M\(point(0.78, -0.1))L\(point(0.66, 1.1))", 0.05), ("M\(point(-0.1, 0.02))L\(point(1.1, 0.2))", 0.03),
        ] {
            markup.element("path", [("class", "road"), ("d", path), ("stroke-width", height * wide)])
        }
        markup.close("g")
    }

    mutating func drawStatus(in place: Int) {
        // A failure that is marked beside the content is not told again.
        if said.status == "failed", decoration.failedIcon == nil { drawFailed(in: frame(of: place)) }
        guard let glyph = Glyph.ofStatus(said.status) else { return }
        let colour = ground(of: place) == .dark ? "" : said.status == "read" ? "read" : "quiet"
        glyph.draw(in: frame(of: place), part: 1.1, colour, into: &markup)
    }

    /// Draws somebody's disc inside a message; the row does not say whose it is.
    mutating func drawFace(_ place: Int) {
        let hue = Hue(of: said.sender + source(of: place) + "\(place)")
        drawShape(place, hue.disc)
        Glyph.person.draw(in: frame(of: place), part: 0.72, "", into: &markup)
    }

    mutating func drawIcon(_ place: Int, _ node: Skeleton.Node) {
        let frame = frame(of: place)
        switch part(of: place) {
        case "play":
            drawShape(place, node.traits.contains(.overlaid) ? "capsule" : "accent")
            Glyph.play.draw(in: frame, part: 0.62, "", into: &markup)
        case "pin": Glyph.pin.draw(in: frame, "pin", into: &markup)
        case "tick": drawChoice(place)
        case "dot": drawShape(place, "rule")
        case "deletedIcon": Glyph.ban.draw(in: frame, "quiet", into: &markup)
        case _ where model.skeleton.text(of: node.label) == "download":
            drawShape(place, "accent")
            Glyph.download.draw(in: frame, part: 0.6, "", into: &markup)
        default: drawShape(place, token(of: place) == "accent" ? "accent" : "unknown")
        }
    }

    /// Draws an option as chosen or not, and the right one of a quiz. Where one answer is right, a chosen one may be
    /// wrong.
    private mutating func drawChoice(_ place: Int) {
        let (isChosen, isRight) = (isSet("chosen", on: place), isSet("right", on: place))
        guard isChosen || isRight else { return drawShape(place, "input") }
        let isWrong = !isRight && isAnyRight
        drawShape(place, isWrong ? "failed" : "accent")
        (isWrong ? Glyph.cross : .check).draw(in: frame(of: place), part: isWrong ? 0.7 : 0.8, "", into: &markup)
    }

    private var isAnyRight: Bool {
        said.value(at: "options")?.array?.contains { $0["right"]?.bool ?? false } ?? false
    }
}
