package import MessageLayout
package import Wire

/// What layouts for screens that nobody foresaw are made with: a style, what it brings, and the edition of which it is the style.
/// Rows of another edition were measured with other fonts, or put into other templates.
package struct LayoutSource: Sendable {
    package let edition: EditionID
    package let style: StyleSheet
    package let texts: StyleTexts
    /// Opens what drafts are laid out with; nil where there are no previews.
    package let drafting: DraftLayouter.Open?

    package init(
        edition: EditionID, style: StyleSheet, texts: StyleTexts, drafting: DraftLayouter.Open? = nil
    ) {
        (self.edition, self.style, self.texts, self.drafting) = (edition, style, texts, drafting)
    }
}
