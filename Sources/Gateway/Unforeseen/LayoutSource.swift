package import MessageLayout
package import Wire

/// The source of layouts for screens that nobody foresaw: a style, the texts that it brings, and the edition of which
/// it is the style. Rows of another edition were measured with other fonts, or put into other templates.
package struct LayoutSource: Sendable {
    package let edition: EditionID
    package let style: StyleSheet
    package let texts: StyleTexts
    /// A function that opens a layouter of drafts; nil where there are no previews.
    package let drafting: DraftLayouter.Open?

    package init(
        edition: EditionID, style: StyleSheet, texts: StyleTexts, drafting: DraftLayouter.Open? = nil
    ) {
        (self.edition, self.style, self.texts, self.drafting) = (edition, style, texts, drafting)
    }
}
