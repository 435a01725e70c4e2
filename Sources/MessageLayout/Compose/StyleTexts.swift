package import Typography

/// The texts of a style, measured: they are the same for every message and every screen. With them, stored messages
/// are laid out without any font.
package struct StyleTexts: Sendable {
    /// Metrics by role.
    let roles: [StyleMetrics]
    let literals: [MeasuredText]

    package init(_ style: StyleSheet, measure: (PlannedText.Content, TextStyle, inout MeasuredText) -> Void) {
        roles = style.tables.roleList.map { role in
            var text = MeasuredText.empty
            measure(.plain("x"), role.style, &text)
            return text.styles[0]
        }
        literals = style.tables.literals.map { literal in
            var text = MeasuredText.empty
            measure(.plain(literal.text), style.tables.roleList[Int(literal.role.place)].style, &text)
            return text
        }
    }
}
