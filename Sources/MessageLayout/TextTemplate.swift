package import Typography

/// The measures of a text message, in points: the part of a style sheet that a plain text needs.
package struct TextTemplate: Hashable, Sendable {
    package var size: Fixed
    /// From one baseline to the next; it grows with the reader's text size.
    package var lineHeight: Fixed
    /// Kept free on every side.
    package var inset: Fixed

    package init(size: Fixed, lineHeight: Fixed, inset: Fixed) {
        self.size = size
        self.lineHeight = lineHeight
        self.inset = inset
    }

    package static let standard = TextTemplate(size: .points(16), lineHeight: .points(22), inset: .points(12))
}
