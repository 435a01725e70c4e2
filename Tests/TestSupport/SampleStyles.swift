package import JSON
import MessageLayout
package import Rows

extension DecorationStyle {
    /// Names, avatars, lines and gaps: enough for neighbours to change each other's heights. The recorded exchange of
    /// `Tests/Previous` stands in it, so it stays as it is.
    package static let messages = stood(in: "")

    /// Every rule at once: besides the rule for messages, rows without an avatar, with one above, and with one in the
    /// centre.
    package static let manifold = stood(
        in: """
            line: { align: { own: 'center', other: 'center' }, insets: { start: 16, end: 16 }, selectable: false },
            picture: {
              align: { own: 'start', other: 'start' }, insets: { start: 8, end: 8 },
              avatar: { size: 40, at: 'start', gap: 6, own: true }, name: { at: 'every', own: true },
            },
            centred: {
              align: { own: 'center', other: 'center' }, insets: { start: 16, end: 16 },
              avatar: { size: 48, at: 'centred', gap: 8, own: true, direct: true },
            },
            """)

    /// - Parameter templates: the templates beside `message`.
    private static func stood(in templates: String) -> DecorationStyle {
        parsed(
            """
            {
              series: { gap: 120, brokenBy: ['template', 'dateLine', 'unreadLine'] },
              templates: {
                message: {
                  align: { own: 'end', other: 'start' }, insets: { start: 8, end: 8 },
                  avatar: { size: 32, at: 'end', gap: 6 }, name: { at: 'start' },
                },
                \(templates)
              },
              gaps: { withinSeries: 2, betweenSeries: 8, betweenSides: 12, first: 9, last: 7 },
              corners: { large: 18, small: 4, joined: 'edge', tail: 'last' },
              dateLine: { height: 24, gap: 8 },
              unreadLine: { height: 28, gap: 8 },
              failedIcon: { size: 20, gap: 6, at: 'edge' },
              selectionHandle: { size: 24, gap: 10 },
              kinds: { dateLine: 'date', unreadLine: 'unread', typing: 'typing', deleted: 'deleted' },
            }
            """)
    }

    package static func read(_ text: String) throws(JSONError) -> DecorationStyle {
        try JSONDocument(name: "test.json5", bytes: Array(text.utf8), dialect: .json5).read {
            (root) throws(JSONError) in try DecorationStyle(root)
        }
    }

    package static func parsed(_ text: String) -> DecorationStyle {
        do { return try read(text) } catch { fatalError("\(error)") }
    }
}
