import MessageLayout
import Rows
import TestSupport
import Typography

extension DecorationStyle {
    /// Bubbles at opposite edges, with the avatar beside the last of a series.
    static let bubbles = parsed(
        """
        {
          series: { gap: 120, brokenBy: ['template', 'dateLine', 'unreadLine'] },
          templates: {
            'avatar and name': {
              align: { own: 'end', other: 'start' },
              insets: { start: 8, end: 8 },
              avatar: { size: 32, at: 'end', gap: 6 },
              name: { at: 'start' },
            },
            bare: {
              align: { own: 'center', other: 'center' },
              insets: { start: 16, end: 16 },
              selectable: false,
            },
            'avatar centred over the content': {
              align: { own: 'center', other: 'center' },
              insets: { start: 16, end: 16 },
              avatar: { size: 48, at: 'centred', gap: 8, own: true, direct: true },
            },
          },
          gaps: { withinSeries: 2, betweenSeries: 8, betweenSides: 12, first: 8, last: 8 },
          corners: { large: 18, small: 4, joined: 'edge', tail: 'last' },
          dateLine: { height: 24, gap: 8 },
          unreadLine: { height: 28, gap: 8 },
          failedIcon: { size: 20, gap: 6, at: 'edge' },
          selectionHandle: { size: 24, gap: 10 },
          kinds: { dateLine: 'date line', unreadLine: 'unread line', typing: 'typing', deleted: 'deleted' },
        }
        """)

    /// Everyone at the same edge, with the avatar and the name at the start of a series.
    static let flat = parsed(
        """
        {
          series: { gap: 300, brokenBy: ['dateLine', 'unreadLine'] },
          templates: {
            'avatar and name': {
              align: { own: 'start', other: 'start' },
              insets: { start: 16, end: 16 },
              avatar: { size: 36, at: 'start', gap: 12, own: true, direct: true },
              name: { at: 'start', own: true, direct: true },
            },
            bare: {
              align: { own: 'start', other: 'start' },
              insets: { start: 64, end: 16 },  // in the column of the other contents
              selectable: false,
            },
            'avatar centred over the content': {
              align: { own: 'center', other: 'center' },
              insets: { start: 16, end: 16 },
              avatar: { size: 56, at: 'centred', gap: 8, own: true, direct: true },
            },
          },
          gaps: { withinSeries: 2, betweenSeries: 16, betweenSides: 16, first: 16, last: 16 },
          corners: { large: 0, small: 0, joined: 'none', tail: 'never' },
          dateLine: { height: 32, gap: 8 },
          unreadLine: { height: 20, gap: 8 },
          failedIcon: { size: 16, gap: 6, at: 'beside' },
          selectionHandle: { size: 20, gap: 12 },
          kinds: { dateLine: 'date line', unreadLine: 'unread line', typing: 'typing', deleted: 'deleted' },
        }
        """)

    /// The same style, with the template for messages changed.
    func with(_ change: (inout RowTemplate) -> Void) -> DecorationStyle {
        var style = self
        change(&style.templates[0])
        return style
    }
}
