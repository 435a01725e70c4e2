import Drawing
import FormeLayout
import JSON
import MessageLayout
import Typography
import Wire

/// A page of HTML with the pictures of many messages.
struct GalleryPage {
    private(set) var styles: [Style] = []
    /// In the order in which they came.
    private(set) var kinds: [String] = []
    private(set) var messages: [Message] = []
    private var places: [JSONValue: Int] = [:]
    private(set) var pictures = PictureShelf()
    private var refused = 0

    struct Style {
        var name: String
        var variants: [String]
        var targets: [(name: String, points: Double)]
    }

    struct Message {
        var value: JSONValue
        var kind: String
        /// A `div` for each style.
        var layouts: [String] = []
    }

    /// A style whose messages were added before.
    mutating func add(_ style: borrowing GalleryStyle) {
        let targets = style.targets.map { ($0.text, Double($0.width.raw) / 64) }
        styles.append(Style(name: style.sheet.name, variants: style.sheet.variants, targets: targets))
    }

    /// A message that a style refuses is shown with the reason.
    mutating func add(_ reader: JSONReader, by style: inout GalleryStyle) {
        let place = place(of: reader.value)
        do throws(JSONError) {
            let sheet = try style.engine.layOut(reader)
            let texts = try style.engine.shownTexts(of: reader, in: sheet.skeleton)
            messages[place].layouts.append(layouts(of: sheet, texts, messages[place].kind, style))
        } catch {
            refused += 1
            let reason = Markup.escaped("\(style.sheet.name): \(error)")
            messages[place].layouts.append("<p class=\"refused\">\(reason)</p>\n")
        }
    }

    private mutating func place(of message: JSONValue) -> Int {
        if let known = places[message] { return known }
        let kind = message["kind"]?.string ?? "?"
        if !kinds.contains(kind) { kinds.append(kind) }
        places[message] = messages.count
        messages.append(Message(value: message, kind: kind))
        return messages.count - 1
    }

    /// The picture that is shown for each target, variant and state, first for left to right and then for right to left.
    private mutating func layouts(
        of sheet: LayoutSheet, _ texts: [RichText], _ kind: String, _ style: borrowing GalleryStyle
    ) -> String {
        var known: [Layout: Int] = [:]
        var slots: [Int] = []
        for target in sheet.targets.indices {
            for variant in 0..<Int(sheet.variantCount) {
                for state in 0..<Int(sheet.stateCount) {
                    let model = sheet.model(target: target, variant: variant, state: state)
                    let layout = Layout(model, on: sheet.targets[target])
                    let place = known[layout] ?? add(model, texts, on: sheet.targets[target])
                    known[layout] = place
                    slots.append(place)
                }
            }
        }
        let row = style.sheet.template(for: kind)?.rowTemplate ?? "message"
        let numbers = slots.map { String($0) }.joined(separator: " ")
        return "<div class=\"layouts\" data-style=\"\(styles.count)\" data-row=\"\(Markup.escaped(row))\" "
            + "data-states=\"\(sheet.stateCount)\" data-slots=\"\(numbers)\"></div>\n"
    }

    private mutating func add(_ model: LayoutModel, _ texts: [RichText], on target: Target) -> Int {
        let picture = Picture(model, texts, on: target)
        return pictures.place(of: picture, facts: picture.facts(of: model))
    }

    /// A layout, equal to all that are drawn alike.
    private struct Layout: Hashable {
        var model: LayoutModel
        var scale: Scale

        init(_ model: LayoutModel, on target: Target) {
            (self.model, scale) = (model, target.scale)
            self.model.reach = .unlimited
        }
    }

    var summary: String {
        "styles: \(styles.count), kinds: \(kinds.count), messages: \(messages.count), drawings: \(pictures.count)"
            + (refused > 0 ? ", refused: \(refused)" : "")
    }
}

extension Picture {
    /// Facts that the picture does not show.
    fileprivate func facts(of model: LayoutModel) -> String {
        let widest = model.reach.widest == LayoutSheet.Reach.unbounded ? "∞" : "\(model.reach.widest)"
        let doubts = model.skeleton.confidence.names.map { ", \($0)" }.joined()
        return "\(size), stamp \(model.stamp), rows \(model.reach.narrowest)–\(widest) px\(doubts)"
    }
}
