import MessageLayout
import Rows

/// Rows of two editions in one conversation: those of the one dress as its style says, those of the other as the other's.
extension DecorationStyle {
    /// What the template of a row of the other edition is called among those of both.
    static func fillerName(of template: String) -> String { fillerMark + template }

    /// Whether the row of such a template is of the other edition.
    static func isFillerName(_ template: String) -> Bool { template.hasPrefix(fillerMark) }

    private static let fillerMark = "next edition's "

    /// With the templates of another style, for its rows, and what that says of corners, failed icons and selection handles. What
    /// stands between rows (series, gaps, lines) is as this style says.
    func filled(from other: DecorationStyle) -> DecorationStyle {
        var style = self
        style.templates += other.templates.map { template in
            var template = template
            template.guest = Guest(template.name, of: other)
            template.name = Self.fillerName(of: template.name)
            return template
        }
        return style
    }
}
