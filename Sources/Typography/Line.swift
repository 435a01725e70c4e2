/// One line as the breaker finds it: sixteen bytes, since a page of messages has hundreds.
package struct Line: Hashable, Sendable {
    /// UTF-16 range. Lines tile the text: spaces that hang and the newline belong to the line they end.
    package var start: Int32
    package var end: Int32
    /// Advance width in 1/64 device pixel, without the spaces that hang, with the hyphen that is shown.
    package var width: Int32
    package var traits: LineTraits

    package init(start: Int32, end: Int32, width: Int32, traits: LineTraits = []) {
        self.start = start
        self.end = end
        self.width = width
        self.traits = traits
    }
}

package struct LineTraits: OptionSet, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Its paragraph runs from right to left: the line is aligned to the right side.
    package static let rightToLeft = LineTraits(rawValue: 1)
    package static let hyphen = LineTraits(rawValue: 2)
    package static let ellipsis = LineTraits(rawValue: 4)
    /// Ends at a newline or at the end of the text.
    package static let lastOfParagraph = LineTraits(rawValue: 8)
    /// Ends inside a word that is wider than the box.
    package static let emergency = LineTraits(rawValue: 16)
}
