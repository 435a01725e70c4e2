/// Which family draws a grapheme cluster: the first in the list that has all of it, and the emoji family before any
/// other for what has emoji presentation (UTS #51).
struct FontFallback {
    /// Emoji presentation: by the base's own nature, or asked for by U+FE0F, a skin tone or a keycap.
    static func isEmoji(_ cluster: Range<Int>, of text: [UInt16], table: CharacterTable) -> Bool {
        let (base, baseLength) = text.scalar(at: cluster.lowerBound)
        let traits = table[base].traits
        guard traits.contains(.emoji) else { return false }
        var isEmoji = traits.contains(.emojiPresentation)
        var i = cluster.lowerBound + baseLength
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            if scalar == textSelector && i == cluster.lowerBound + baseLength { return false }
            if scalar == emojiSelector || table[scalar].traits.contains(.emojiModifier) { isEmoji = true }
            i += length
        }
        return isEmoji
    }

    /// One past the emoji that `cluster` begins with, or past the cluster when it begins with none. What follows the
    /// emoji, such as a keycap on what takes none or a skin tone behind U+FE0F, is shaped by itself.
    static func emojiEnd(in cluster: Range<Int>, of text: [UInt16], table: CharacterTable) -> Int {
        var i = cluster.lowerBound
        var before = text.scalar(at: i).scalar
        guard before >= 0x80, isEmoji(cluster, of: text, table: table) || text.firstIs(textSelector, after: cluster)
        else { return cluster.upperBound }
        i += before > 0xffff ? 2 : 1
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            let traits = table[scalar].traits
            let isTag = 0xe0020...0xe007f ~= scalar
            let isTone = traits.contains(.emojiModifier) && !isSelector(before)
            let isJoined = before == joiner && traits.contains(.emoji)
            let isPair = traits.contains(.regionalIndicator)
            guard isTag || isTone || isJoined || isPair || isSelector(scalar) || scalar == joiner else { return i }
            before = scalar
            i += length
        }
        return i
    }

    /// The family's place in the style's order, and whether it lacks a glyph. What no family has all of is left to the
    /// first, which draws boxes for what it lacks.
    static func family(
        for cluster: Range<Int>, of text: [UInt16], fonts: StyleFonts
    ) -> (place: Int, isMissing: Bool) {
        var all: UInt64 = .max
        var i = cluster.lowerBound
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            all &= fonts.characters[scalar].families
            i += length
        }
        if let emoji = fonts.emoji, all & 1 << UInt64(emoji) != 0,
            isEmoji(cluster, of: text, table: fonts.characters)
        {
            return (emoji, false)
        }
        return all != 0 ? (all.trailingZeroBitCount, false) : (0, true)
    }

    private static func isSelector(_ scalar: UInt32) -> Bool { scalar == textSelector || scalar == emojiSelector }

    private static let textSelector: UInt32 = 0xfe0e
    private static let emojiSelector: UInt32 = 0xfe0f
    private static let joiner: UInt32 = 0x200d
}

extension [UInt16] {
    /// Whether `selector` stands right behind the first character of `cluster`.
    fileprivate func firstIs(_ selector: UInt32, after cluster: Range<Int>) -> Bool {
        let i = cluster.lowerBound + scalar(at: cluster.lowerBound).length
        return i < cluster.upperBound && UInt32(self[i]) == selector
    }
}
