package import JSON
package import MessageLayout
package import Shaping
package import Typography
package import Wire

/// One message and one style in, all its layouts out: the composer decides, the shaper measures.
package struct LayoutEngine: ~Copyable {
    package private(set) var composer: Composer
    private var shaper: Shaper
    private let texts: StyleTexts

    /// - Parameter mostNodes: the most nodes of a message that is laid out; see `Composer`.
    package init(
        style: StyleSheet, fonts: FontList, targets: [Target]? = nil, mostNodes: Int = .max
    ) throws(FontError) {
        var shaper = try Shaper(fonts: fonts)
        texts = StyleTexts(style) { text, style, result in shaper.measure(text, style: style, into: &result) }
        composer = Composer(style, targets: targets, texts: texts, mostNodes: mostNodes)
        self.shaper = shaper
    }

    /// Pieces of texts since the start: the number that had been measured before, and that of the others.
    package var words: CacheTally {
        let all = shaper.cacheStatistics
        return CacheTally(hits: UInt64(all.hits), misses: UInt64(all.misses))
    }

    /// Lays out for these targets from now on.
    package mutating func aim(at targets: [Target]) {
        composer = Composer(composer.style, targets: targets, texts: texts, mostNodes: composer.mostNodes)
    }

    /// Lays out a message from its stored data, without the message and without fonts.
    package mutating func layOut(
        _ stored: StoredTexts, showing shown: Skeleton, into sheet: inout LayoutSheet
    ) throws(StoredMessageError) {
        try composer.layOut(stored, showing: shown, into: &sheet)
    }

    package mutating func layOut(_ message: JSONReader) throws(JSONError) -> LayoutSheet {
        try composer.layOut(message) { text, style, result in shaper.measure(text, style: style, into: &result) }
    }

    /// Lays out a message over `sheet`, whose memory is used again for one message after another.
    package mutating func layOut(
        _ message: CheckedMessage, into sheet: inout LayoutSheet, reached: LayoutStage.Reached = { _ in }
    ) {
        composer.layOut(
            message, into: &sheet,
            measure: { text, style, result in shaper.measure(text, style: style, into: &result) }, reached: reached)
    }

    /// Explains how a layout came about; for people, and slow.
    package mutating func explain(
        _ message: JSONReader, target: Int, variant: Int, isExpanded: Bool
    ) throws(JSONError) -> Explanation {
        try composer.explain(message, target: target, variant: variant, isExpanded: isExpanded) { text, style, result in
            shaper.measure(text, style: style, into: &result)
        }
    }
}

extension Shaper {
    package mutating func measure(
        _ text: PlannedText.Content, style: TextStyle, into result: inout MeasuredText
    ) {
        switch text {
        case .plain(let text): measure(text, style: style, into: &result)
        // Most paragraphs and items have no marks: they are measured like plain texts.
        case .rich(let text) where text.spans.isEmpty && text.boxes.isEmpty:
            measure(text.units, style: style, into: &result)
        case .rich(let text): result = measure(style.language == .none ? text : text.inLanguage(style.language))
        }
    }
}
