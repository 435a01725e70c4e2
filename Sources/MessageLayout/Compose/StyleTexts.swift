package import Typography

/// The texts that a style brings, measured: what is the same for every message and every screen. Whoever has them lays out
/// stored messages without any font.
package struct StyleTexts: Sendable {
    /// By role.
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
