import JSON
import MessageLayout

extension DecorationStyle {
    /// What stands around the rows of the recorded exchange; styles of today may change.
    static let previous = parsed(
        """
        {
          series: { gap: 120, brokenBy: ['template', 'dateLine', 'unreadLine'] },
          templates: {
            message: {
              align: { own: 'end', other: 'start' }, insets: { start: 8, end: 8 },
              avatar: { size: 32, at: 'end', gap: 6 }, name: { at: 'start' },
            },
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

    private static func parsed(_ text: String) -> DecorationStyle {
        let document = JSONDocument(name: "previous.json5", bytes: Array(text.utf8), dialect: .json5)
        do { return try document.read { (root) throws(JSONError) in try DecorationStyle(root) } } catch {
            fatalError("\(error)")
        }
    }
}
