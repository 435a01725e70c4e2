package import Typography

/// The measures of a text message, in points: the part of a style sheet that a plain text needs.
package struct TextTemplate: Hashable, Sendable {
    package var size: Fixed
    /// From one baseline to the next.
    package var lineHeight: Fixed
    /// From the top of a line to its baseline.
    package var baseline: Fixed
    /// Kept free on every side.
    package var inset: Fixed

    package init(size: Fixed, lineHeight: Fixed, baseline: Fixed, inset: Fixed) {
        self.size = size
        self.lineHeight = lineHeight
        self.baseline = baseline
        self.inset = inset
    }

    package static let standard = TextTemplate(
        size: .points(16), lineHeight: .points(21), baseline: .points(16), inset: .points(12))
}
