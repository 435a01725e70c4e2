/// The style of a stretch of text, as far as fonts care. Colour is not here: it changes no advance.
package struct TextStyle: Hashable, Sendable {
    /// The weight as CSS counts: 400 is regular, 700 bold.
    package var weight: Int16
    package var isItalic: Bool
    package var isMonospaced: Bool
    /// Size in percent of the text's own.
    package var percent: Int32
    /// The language. Families that are listed for it come before those that they stand for.
    package var language: Language

    package init(
        weight: Int16 = 400, isItalic: Bool = false, isMonospaced: Bool = false, percent: Int32 = 100,
        language: Language = .none
    ) {
        self.weight = weight
        self.isItalic = isItalic
        self.isMonospaced = isMonospaced
        self.percent = percent
        self.language = language
    }

    package static let regular = TextStyle()
    package static let bold = TextStyle(weight: 700)
}

/// A text with its style runs and the boxes that stand in its flow.
package struct RichText: Hashable, Sendable {
    package var units: [UInt16]
    /// The styled spans, in order and without overlap; the text between them is in `style`.
    package var spans: [Span]
    package var boxes: [InlineBox]
    package var style: TextStyle

    package struct Span: Hashable, Sendable {
        package var start: Int32
        package var end: Int32
        package var style: TextStyle

        package init(start: Int32, end: Int32, style: TextStyle) {
            self.start = start
            self.end = end
            self.style = style
        }
    }

    package init(units: [UInt16], spans: [Span] = [], boxes: [InlineBox] = [], style: TextStyle = .regular) {
        self.units = units
        self.spans = spans
        self.boxes = boxes
        self.style = style
    }

    package init(_ text: String, style: TextStyle = .regular) { self.init(units: Array(text.utf16), style: style) }

    /// The same text in a language.
    package func inLanguage(_ language: Language) -> RichText {
        var own = self
        own.style.language = language
        for place in own.spans.indices { own.spans[place].style.language = language }
        return own
    }
}

/// Something atomic in the flow of a text: a mention chip, a custom emoji. It stands where the text has U+FFFC, with a
/// width, and a height of which a part may hang below the baseline.
package struct InlineBox: Hashable, Sendable {
    package enum Extent: Hashable, Sendable {
        /// Grows with the font: thousandths of an em.
        case em(width: Int32, ascent: Int32, descent: Int32)
        /// Does not grow with the font.
        case fixed(width: Fixed, ascent: Fixed, descent: Fixed)
    }

    package var position: Int32
    package var extent: Extent

    package init(position: Int32, extent: Extent) {
        self.position = position
        self.extent = extent
    }

    /// The character that holds the place of a box.
    package static let placeholder: UInt16 = 0xfffc
}
