/// The choice of the family that draws a grapheme cluster: the first in the list that has all of it, and the emoji
/// family before any other for emoji presentation (UTS #51).
struct FontFallback {
    /// Whether a cluster has emoji presentation: by the base's own nature, or by U+FE0F, a skin tone or a keycap.
    static func isEmoji(_ cluster: Range<Int>, of text: [UInt16], _ characters: [CharacterRecord]) -> Bool {
        let base = characters[cluster.lowerBound]
        guard base.traits.contains(.emoji) else { return false }
        let behindBase = cluster.lowerBound + base.length
        if behindBase < cluster.upperBound && text[behindBase] == textSelector { return false }
        if base.traits.contains(.emojiPresentation) { return true }
        return (behindBase..<max(behindBase, cluster.upperBound)).contains {
            text[$0] == emojiSelector || characters[$0].traits.contains(.emojiModifier)
        }
    }

    /// The place behind the emoji that `cluster` begins with, or behind the cluster when it begins with none. The
    /// rest, such as a keycap on a character that takes none or a skin tone behind U+FE0F, is shaped by itself.
    static func emojiEnd(in cluster: Range<Int>, of text: [UInt16], _ characters: [CharacterRecord]) -> Int {
        var i = cluster.lowerBound
        var before = text.scalar(at: i).scalar
        i += characters[i].length
        let isText = i < cluster.upperBound && text[i] == textSelector
        guard before >= 0x80, isText || isEmoji(cluster, of: text, characters) else { return cluster.upperBound }
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            let traits = characters[i].traits
            let isTag = 0xe0020...0xe007f ~= scalar
            let isTone = traits.contains(.emojiModifier) && !isSelector(before)
            let isJoined = before == joiner && traits.contains(.emoji)
            let isPair = traits.contains(.regionalIndicator)
            guard isTag || isTone || isJoined || isPair || isSelector(scalar) || scalar == joiner else { return i }
            before = scalar
            i += length
        }
        // A style that ends inside a character cuts its cluster there.
        return min(i, cluster.upperBound)
    }

    /// The family's place in the style's order, and whether it lacks a glyph. A cluster that no family has all of is
    /// left to the first, which draws boxes for the characters that it lacks.
    static func family(
        for cluster: Range<Int>, of text: [UInt16], _ characters: [CharacterRecord], _ fonts: StyleFonts
    ) -> (place: Int, isMissing: Bool) {
        // No family before the last of these has everything, and mostly they are one.
        var first = 0
        var isOne = true
        var inEmoji = true
        for i in cluster {
            let record = characters[i]
            if record.family == .none { return (0, true) }
            if !record.traits.contains(.inEmojiFamily) { inEmoji = false }
            guard let place = record.family.place, place != first else { continue }
            isOne = i == cluster.lowerBound
            first = max(first, place)
        }
        if inEmoji, let emoji = fonts.emoji, isEmoji(cluster, of: text, characters) { return (emoji, false) }
        if isOne { return (first, false) }
        let all = (first..<fonts.faces.count).first { has(cluster, of: text, family: $0, fonts.characters) }
        return all.map { ($0, false) } ?? (0, true)
    }

    private static func has(
        _ cluster: Range<Int>, of text: [UInt16], family: Int, _ characters: CharacterTable
    ) -> Bool {
        var i = cluster.lowerBound
        while i < cluster.upperBound {
            let (scalar, length) = text.scalar(at: i)
            guard characters.covers(scalar, family: family) else { return false }
            i += length
        }
        return true
    }

    private static func isSelector(_ scalar: UInt32) -> Bool { 0xfe0e...0xfe0f ~= scalar }

    private static let textSelector: UInt16 = 0xfe0e
    private static let emojiSelector: UInt16 = 0xfe0f
    private static let joiner: UInt32 = 0x200d
}
