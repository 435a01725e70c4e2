import Typography

/// One paragraph, heading, list item or piece of code of a message, with its depth in quotes and lists.
///
/// Nesting is a depth and no tree: a layout goes down the blocks once, and no input makes anything recurse.
package struct MarkdownBlock: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case paragraph
        /// 1 to 6.
        case heading(level: Int32)
        /// The first paragraph of a list item; its marker is not in the text. Without an ordinal it has a bullet.
        case item(ordinal: Int32?)
        /// Fenced code, and the first word behind the fence.
        case code(language: String)
    }

    package var kind: Kind
    /// The number of quotes around it.
    package var quotes: Int32
    /// The number of list items around it. An item counts itself; a paragraph that continues one is as deep as the
    /// item.
    package var depth: Int32
    package var text: MarkedText

    package init(kind: Kind = .paragraph, quotes: Int32 = 0, depth: Int32 = 0, text: MarkedText) {
        self.kind = kind
        self.quotes = quotes
        self.depth = depth
        self.text = text
    }

    /// The deepest quote: markers beyond it are text.
    package static let deepestQuote = 16
    /// The deepest item: items beyond it count as deep as it.
    package static let deepestItem = 8
}

extension MarkdownBlock {
    /// Reads the markdown that people use in chats. Total and linear: every text gives at least one block.
    ///
    ///     MarkdownBlock.parse(Array("see **you**\n> at nine".utf16))  // a paragraph, and a quoted one
    ///
    /// It follows CommonMark, except where that surprises in a chat: a newline is a line break; a quote or an item
    /// ends where its lines end; `>` wants a space behind it (`>_<`); an item, a heading and a link want a text;
    /// numbers stay as written. It has no HTML, entities, images, tables, or code by indentation.
    ///
    /// A text that would show nothing, like a lone fence, is shown as it was written.
    package static func parse(_ source: [UInt16]) -> [MarkdownBlock] {
        guard source.count <= Int(Int32.max) else { return plain(source) }
        var parser = BlockParser(source: source)
        let blocks = parser.blocks()
        return blocks.allSatisfy(\.text.units.isEmpty) ? plain(source) : blocks
    }

    package static func parse(_ source: String) -> [MarkdownBlock] {
        var units: [UInt16] = []
        units.read(source)
        return parse(units)
    }

    /// The whole text as one paragraph, for messages that are no markdown: costs nothing.
    package static func plain(_ source: [UInt16]) -> [MarkdownBlock] {
        [MarkdownBlock(text: MarkedText(units: source))]
    }

    package static func plain(_ source: String) -> [MarkdownBlock] { plain(Array(source.utf16)) }
}
