import MessageLayout
import Rows
import Typography
import Wire

/// The decorations around the content: days, the line above unread messages, avatars, and marks.
extension RowPicture {
    mutating func drawDress() {
        if let line = decoration.dateLine { drawPill(DayText.words(line.day), in: line.frame) }
        if let frame = decoration.unreadLine {
            let middle = Double(frame.top) + Double(frame.height) / 2
            markup.element(
                "rect",
                [
                    ("class", "rule"), ("x", frame.left), ("y", middle), ("width", frame.width),
                    ("height", max(1, pixels(0.5))),
                ])
            drawPill("Unread messages", in: frame)
        }
        if let frame = decoration.avatar { drawAvatar(in: frame) }
        if let frame = decoration.failedIcon { drawFailed(in: frame) }
        if let frame = decoration.selectionHandle { drawDisc("input", in: frame) }
    }

    /// Rows do not say how wide the words of a day are: a pill is as wide as such letters mostly are.
    private mutating func drawPill(_ words: String, in frame: PixelRect) {
        let size = pixels(12.5) * Double(target.textScale.percent) / 100
        let (wide, high) = (DayText.ems(of: words) * size + 1.8 * size, min(Double(frame.height), 1.8 * size))
        let (x, y) = (Double(frame.left) + Double(frame.width) / 2, Double(frame.top) + Double(frame.height) / 2)
        markup.element(
            "rect",
            [
                ("class", "pill"), ("x", x - wide / 2), ("y", y - high / 2), ("width", wide), ("height", high),
                ("rx", high / 2),
            ])
        markup.text(
            words,
            [("class", "faint"), ("x", x), ("y", y + 0.36 * size), ("text-anchor", "middle"), ("font-size", size)])
    }

    private mutating func drawAvatar(in frame: PixelRect) {
        let who = said.sender.isEmpty ? said.name : said.sender
        drawDisc(Hue(of: who).disc, in: frame)
        let letters = Initials.of(said.name.isEmpty ? said.sender : said.name)
        guard !letters.isEmpty else { return Glyph.person.draw(in: frame, part: 0.72, "", into: &markup) }
        let size = Double(frame.height) * 0.4
        markup.text(
            letters,
            [
                ("class", "over"), ("x", Double(frame.left) + Double(frame.width) / 2),
                ("y", Double(frame.top) + Double(frame.height) / 2 + 0.36 * size), ("text-anchor", "middle"),
                ("font-size", size),
                ("font-weight", Int32(700)),
            ])
    }

    mutating func drawFailed(in frame: PixelRect) {
        drawDisc("failed", in: frame)
        Glyph.failed.draw(in: frame, "", into: &markup)
    }

    private mutating func drawDisc(_ classes: String, in frame: PixelRect) {
        let radius = Double(min(frame.width, frame.height)) / 2
        markup.element(
            "circle",
            [
                ("class", classes), ("cx", Double(frame.left) + Double(frame.width) / 2),
                ("cy", Double(frame.top) + Double(frame.height) / 2),
                ("r", radius),
            ])
    }
}

/// A day in the words of the page, as no row has words for it.
enum DayText {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    static func words(_ day: LocalDay) -> String {
        let date = day.date
        return "\(weekdays[Int(day.weekday) - 1]), \(date.day) \(months[Int(date.month) - 1]) \(date.year)"
    }

    /// The approximate width of words of Latin letters.
    static func ems(of words: String) -> Double {
        words.reduce(0) { sum, letter in
            switch letter {
            case "i", "j", "l", "t", "f", "r", ",", ".", " ", "I": sum + 0.31
            case "m", "w", "M", "W": sum + 0.9
            case _ where letter.isUppercase: sum + 0.66
            default: sum + 0.57
            }
        }
    }
}
