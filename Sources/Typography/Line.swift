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

@frozen public struct LineTraits: OptionSet, Hashable, Sendable {
    public let rawValue: Int32

    // Public because the compiler inlines nothing else into other modules, which ask lines by the thousand.
    @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
    @inlinable public func contains(_ other: LineTraits) -> Bool {
        rawValue & other.rawValue == other.rawValue
    }

    /// Its paragraph runs from right to left: the line is aligned to the right side.
    @inlinable public static var rightToLeft: LineTraits { LineTraits(rawValue: 1) }
    @inlinable public static var hyphen: LineTraits { LineTraits(rawValue: 2) }
    @inlinable public static var ellipsis: LineTraits { LineTraits(rawValue: 4) }
    /// Ends at a newline or at the end of the text.
    @inlinable public static var lastOfParagraph: LineTraits { LineTraits(rawValue: 8) }
    /// Ends inside a word that is wider than the box.
    @inlinable public static var emergency: LineTraits { LineTraits(rawValue: 16) }
    /// Its last letter reaches for one that stands on the next line, or behind the ellipsis.
    @inlinable public static var endsJoined: LineTraits { LineTraits(rawValue: 32) }
    /// Its first letter reaches for the one that ends the line before.
    @inlinable public static var beginsJoined: LineTraits { LineTraits(rawValue: 64) }
    /// Was cut within letters that run against its paragraph, behind the line or before it: their effect on the
    /// neutral characters at that end is not seen on the line.
    @inlinable public static var endsTurned: LineTraits { LineTraits(rawValue: 128) }
    @inlinable public static var beginsTurned: LineTraits { LineTraits(rawValue: 256) }
    /// The last letter before it is of Arabic or a similar script, beside which numbers are of another kind.
    @inlinable public static var beginsArabic: LineTraits { LineTraits(rawValue: 512) }
}
