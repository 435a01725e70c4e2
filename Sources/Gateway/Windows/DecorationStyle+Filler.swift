import MessageLayout
import Rows

/// Rows of two editions in one conversation: each is dressed as the style of its own edition says.
extension DecorationStyle {
    /// The name of the other edition's template among the templates of both.
    static func fillerName(of template: String) -> String { fillerMark + template }

    /// Whether the row of such a template is of the other edition.
    static func isFillerName(_ template: String) -> Bool { template.hasPrefix(fillerMark) }

    private static let fillerMark = "next edition's "

    /// This style with the templates of another one, for its rows, and with that one's corners, failed icons and
    /// selection handles. The space between rows (series, gaps, lines) is as this style says.
    func filled(from other: DecorationStyle) -> DecorationStyle {
        var style = self
        style.templates += other.templates.map { template in
            var template = template
            template.guest = ForeignTemplate(template.name, of: other)
            template.name = Self.fillerName(of: template.name)
            return template
        }
        return style
    }
}
