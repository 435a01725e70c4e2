import MessageLayout

/// Small drawings in a square of 24 by 24, as lines unless they are solid. The part or the name of a node decides on
/// its glyph: an added kind has them by using these names.
struct Glyph {
    var path: String
    var isSolid = false
    /// The width of lines, in the square of 24.
    var stroke = 2.0

    static let play = Glyph(path: "M8.5 5.5v13l11-6.5z", isSolid: true)
    static let download = Glyph(path: "M12 5v11m-5-4.5l5 5 5-5")
    static let check = Glyph(path: "M5.5 12.5l4.5 4.5 8.5-10", stroke: 2.4)
    static let cross = Glyph(path: "M6.5 6.5l11 11M17.5 6.5l-11 11", stroke: 2.4)
    static let sent = Glyph(path: "M5 12.5l4 4 8-9")
    static let twice = Glyph(path: "M1.5 12.5l4 4 8-9m-2.5 7.5l1.5 1.5 8-9")
    static let clock = Glyph(path: "M12 4a8 8 0 1 0 0.01 0zM12 8v4.5l3 2", stroke: 1.8)
    static let ban = Glyph(path: "M12 3.5a8.5 8.5 0 1 0 0.01 0zM6 6l12 12", stroke: 1.8)
    static let picture = Glyph(
        path: "M3.5 5.5h17v13h-17zM3.5 16l5-5 4.5 4.5 2.5-2.5 5 4.5M15.8 9.3a1.3 1.3 0 1 0 0.01 0z", stroke: 1.5)
    static let pin = Glyph(
        path:
            "M12 2a7.2 7.2 0 0 0-7.2 7.2c0 5 7.2 12.8 7.2 12.8s7.2-7.8 7.2-12.8A7.2 7.2 0 0 0 12 2zm0 4.6a2.6 2.6 0 1 1-0.01 0z",
        isSolid: true)
    static let smile = Glyph(
        path: "M12 3a9 9 0 1 0 0.01 0zM8.6 9.2v0.8m6.8-0.8v0.8M7.5 14.2c2.2 3.4 6.8 3.4 9 0", stroke: 1.6)
    static let failed = Glyph(path: "M12 6v7.5M12 17.4v0.2", stroke: 2.6)
    static let person = Glyph(path: "M12 4.5a3.8 3.8 0 1 0 0.01 0zM4.5 20c0.8-5.2 14.2-5.2 15 0z", isSolid: true)

    /// The glyph of a status; nil for one that shows none.
    static func ofStatus(_ status: String) -> Glyph? {
        switch status {
        case "sending", "pending": .clock
        case "sent": .sent
        case "delivered", "read": .twice
        default: nil
        }
    }

    /// Draws the glyph in the middle of a rectangle, as large as a part of the shorter side.
    func draw(in rect: PixelRect, part: Double = 1, _ classes: String, into markup: inout Markup) {
        let size = Double(min(rect.width, rect.height)) * part
        let (x, y) = (
            Double(rect.left) + (Double(rect.width) - size) / 2, Double(rect.top) + (Double(rect.height) - size) / 2
        )
        var attributes: Markup.Attributes = [
            ("class", "glyph \(classes)" + (isSolid ? " solid" : "")), ("d", path),
            ("transform", "translate(\(x.markup) \(y.markup)) scale(\(Glyph.factor(size / 24)))"),
        ]
        if isSolid { attributes.append(("fill-rule", "evenodd")) } else { attributes.append(("stroke-width", stroke)) }
        markup.element("path", attributes)
    }

    /// The factor to the ten-thousandth, as small drawings are drawn large.
    private static func factor(_ value: Double) -> String {
        let steps = Int((value * 10_000).rounded())
        return "\(steps / 10_000)." + "\(steps % 10_000 + 10_000)".dropFirst()
    }
}
