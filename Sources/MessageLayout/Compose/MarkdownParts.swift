import JSON
import Typography

// Blocks of Markdown and their texts, as templates ask for them and skeletons show them.

extension Skeleton {
    /// One of the texts that come from the message.
    func markedText(_ number: Int) -> MarkedText? {
        let own = texts.lazy.filter { $0.literal == 0 }.dropFirst(number).first
        return own.map { text in
            MarkedText(
                units: [], pieces: text.pieces, spans: text.spans,
                entities: text.entities.map {
                    MarkedText.Entity(range: $0.range, kind: $0.kind, target: self.text(of: $0.target))
                })
        }
    }
}

extension MarkdownBlock {
    /// The place of the part inside a `markdown` that shows this block.
    var templatePlace: Int {
        switch kind {
        case .code: 4
        case _ where quotes > 0: 3
        case .paragraph: 0
        case .heading: 1
        case .item: 2
        }
    }

    /// Values that conditions and texts can ask of it.
    var values: JSONValue {
        var members = [
            JSONObject.Member("depth", .number(JSONNumber(depth))),
            JSONObject.Member("quotes", .number(JSONNumber(quotes))),
            JSONObject.Member("nested", .number(JSONNumber(max(0, quotes - 1)))),
        ]
        switch kind {
        case .paragraph: break
        case .heading(let level): members.append(.init("level", .number(JSONNumber(level))))
        case .item(let ordinal):
            let marker = ordinal.map { "\($0)." } ?? "•"
            // A marker has no letters of its own, and runs as its item does.
            members.append(.init("marker", .string(text.beginsRightToLeft ? "\u{200F}\(marker)" : marker)))
        case .code(let language): members.append(.init("language", .string(language)))
        }
        return .object(JSONObject(members))
    }
}

extension MarkedText {
    /// Whether the first letter is of a script that runs from right to left.
    fileprivate var beginsRightToLeft: Bool {
        for unit in units {
            switch unit {
            // High surrogates: Phoenician to Yezidi, Mende Kikakui to Adlam.
            case 0xD802...0xD803, 0xD83A...0xD83B: return true
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF: if unit.isLetter { return true }
            default: if unit.isLetter { return false }
            }
        }
        return false
    }

    /// The text with its looks, as it is measured.
    func rich(in style: TextStyle) -> RichText {
        RichText(
            units: units,
            spans: spans.compactMap { span in
                let own = style.with(span.look)
                guard own != style else { return nil }
                return RichText.Span(start: span.range.lowerBound, end: span.range.upperBound, style: own)
            }, style: style)
    }
}

extension Skeleton.Text {
    mutating func show(_ marked: MarkedText) { (pieces, spans) = (marked.pieces, marked.spans) }
}

extension TextStyle {
    func with(_ look: Look) -> TextStyle {
        var style = self
        if look.contains(.bold) { style.weight = max(700, weight) }
        if look.contains(.italic) { style.isItalic = true }
        if look.contains(.monospaced) { style.isMonospaced = true }
        return style
    }
}

extension UInt16 {
    fileprivate var isLetter: Bool { Unicode.Scalar(self)?.properties.isAlphabetic ?? false }
}
