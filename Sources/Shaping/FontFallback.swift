/// Which family draws a grapheme cluster: the first in the list that has all of it, and the emoji family before any
/// other for what has emoji presentation (UTS #51).
struct FontFallback {
    /// Emoji presentation: by the base's own nature, or asked for by U+FE0F, a skin tone or a keycap.
    static func isEmoji(_ cluster: Range<Int>, of text: [UInt16], table: inout CharacterTable) -> Bool {
        let (base, length) = text.scalar(at: cluster.lowerBound)
        let traits = table[base].traits
        guard traits.contains(.emoji) else { return false }
        var isEmoji = traits.contains(.emojiPresentation)
        var i = cluster.lowerBound + length
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            if scalar == textSelector && i == cluster.lowerBound + length { return false }
            if scalar == emojiSelector || table[scalar].traits.contains(.emojiModifier) { isEmoji = true }
            i += length
        }
        return isEmoji
    }

    /// The family's place in the style's order, and whether it lacks a glyph.
    static func family(
        for cluster: Range<Int>, of text: [UInt16], fonts: StyleFonts
    ) -> (place: Int, isMissing: Bool) {
        var all: UInt64 = .max
        var base: UInt64 = 0
        var i = cluster.lowerBound
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            let families = fonts.characters[scalar].families
            all &= families
            if base == 0 { base = families }
            i += length
        }
        if let emoji = fonts.emoji, all & 1 << UInt64(emoji) != 0,
            isEmoji(cluster, of: text, table: &fonts.characters)
        {
            return (emoji, false)
        }
        if all != 0 { return (all.trailingZeroBitCount, false) }
        return (base == 0 ? 0 : base.trailingZeroBitCount, true)
    }

    private static let textSelector: UInt32 = 0xfe0e
    private static let emojiSelector: UInt32 = 0xfe0f
}
