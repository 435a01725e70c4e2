import Drawing
import FormeLayout
import JSON
import MessageLayout
import Rows
import Typography
import Wire

/// A page of HTML with the pictures of many messages.
struct GalleryPage {
    private(set) var styles: [Style] = []
    /// Kinds in the order in which they came.
    private(set) var kinds: [String] = []
    private(set) var messages: [Message] = []
    private var places: [JSONValue: Int] = [:]
    private(set) var pictures = PictureShelf()
    private var refused = 0
    /// Kinds that nobody has written a message for, each with a sentence that says so.
    private(set) var notes: [String: String] = [:]

    struct Style {
        var name: String
        /// Whether its rows stand on the paper itself.
        var isPlain: Bool
        var variants: [String]
        var targets: [(name: String, points: Double)]
    }

    struct Message {
        var value: JSONValue
        var kind: String
        /// A `div` for each style.
        var layouts: [String] = []
    }

    /// Adds a style whose messages were added before.
    mutating func add(_ style: borrowing GalleryStyle) throws(JSONError) {
        let targets = style.targets.map { ($0.text, Double($0.width.raw) / 64) }
        let isPlain = try style.sheet.decoration()?.corners.large.raw == 0
        styles.append(
            Style(name: style.sheet.name, isPlain: isPlain, variants: style.sheet.variants, targets: targets))
    }

    /// Adds a message; one that the style refuses is shown with the reason.
    mutating func add(_ reader: JSONReader, by style: inout GalleryStyle) {
        let place = place(of: reader.value)
        do throws(JSONError) {
            let sheet = try style.engine.layOut(reader)
            messages[place].layouts.append(
                try layouts(
                    of: sheet, Said(body: reader.value, milliseconds: Said.sampleTime), messages[place].kind, style)
            )
        } catch {
            refused += 1
            let reason = Markup.escaped("\(style.sheet.name): \(error)")
            messages[place].layouts.append("<p class=\"refused\">\(reason)</p>\n")
        }
    }

    /// Remembers that the message of a kind is made up.
    mutating func note(_ sentence: String, of kind: String) { notes[kind] = sentence }

    private mutating func place(of message: JSONValue) -> Int {
        if let known = places[message] { return known }
        let kind = message["kind"]?.string ?? "?"
        if !kinds.contains(kind) { kinds.append(kind) }
        places[message] = messages.count
        messages.append(Message(value: message, kind: kind))
        return messages.count - 1
    }

    /// The picture that is shown for each target, variant and state, first for left to right and then for right to
    /// left.
    private mutating func layouts(
        of sheet: LayoutSheet, _ said: Said, _ kind: String, _ style: borrowing GalleryStyle
    ) throws(JSONError) -> String {
        var slots: [Int] = []
        for target in sheet.targets.indices {
            for variant in 0..<Int(sheet.variantCount) {
                for state in 0..<Int(sheet.stateCount) {
                    let picture = try RowPicture(
                        sheet, of: kind, in: style.sheet, said, target: target, variant: variant, state: state,
                        showsWorkings: true)
                    slots.append(pictures.place(of: picture, facts: picture.facts(of: sheet, on: target)))
                }
            }
        }
        let numbers = slots.map { String($0) }.joined(separator: " ")
        return "<div class=\"layouts\" data-style=\"\(styles.count)\" "
            + "data-states=\"\(sheet.stateCount)\" data-slots=\"\(numbers)\"></div>\n"
    }

    var summary: String {
        "styles: \(styles.count), kinds: \(kinds.count), messages: \(messages.count), drawings: \(pictures.count)"
            + (notes.isEmpty ? "" : ", without messages of their own: \(notes.keys.sorted().joined(separator: ", "))")
            + (refused > 0 ? ", refused: \(refused)" : "")
    }
}

extension RowPicture {
    /// Facts that the picture does not show.
    fileprivate func facts(of sheet: LayoutSheet, on target: Int) -> String {
        let reach = sheet.reaches[target]
        let widest = reach.widest == LayoutSheet.Reach.unbounded ? "∞" : "\(reach.widest)"
        let doubts = sheet.skeleton.confidence.names.map { ", \($0)" }.joined()
        return "\(contentSize), rows \(reach.narrowest)–\(widest) px\(doubts)"
    }
}
