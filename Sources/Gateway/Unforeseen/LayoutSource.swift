package import MessageLayout
package import Wire

/// What layouts for screens that nobody foresaw are made with: a style, what it brings, and the edition of which it is the style.
/// Rows of another edition were measured with other fonts, or put into other templates.
package struct LayoutSource: Sendable {
    package let edition: EditionID
    package let style: StyleSheet
    package let texts: StyleTexts

    package init(edition: EditionID, style: StyleSheet, texts: StyleTexts) {
        (self.edition, self.style, self.texts) = (edition, style, texts)
    }
}
