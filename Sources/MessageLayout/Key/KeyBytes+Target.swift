import Typography

/// A target, with the pixels of some parts' lengths and the roles of their texts on it. A class of screens is not
/// written: its changes to these parts show in the numbers, and its changes to others do not matter.
extension KeyBytes {
    mutating func target(_ target: Target, _ parts: [Part], of sheet: StyleSheet) {
        number(target.width.raw)
        number(target.scale.thousandths)
        number(target.textScale.percent)
        flag(target.isMirrored)
        let screen = Screen(target, of: sheet)
        number(screen.room.percent)
        number(screen.room.less)
        number(screen.room.most)
        number(screen.classRows.lowerBound)
        number(screen.classRows.upperBound)
        for part in parts {
            for length in part.shape.allLengths where length != .zero { number(screen.pixels(length)) }
            guard part.shape.operation == .text else { continue }
            let place = Int(part.shape.number)
            role(screen.roles[place], style: sheet.tables.roleList[place].style)
        }
    }

    /// Texts are measured once for all targets, in the style of the role outside all classes.
    private mutating func role(_ role: TextRole, style: TextStyle) {
        number(role.size.raw)
        number(role.lineHeight.raw)
        flag(role.isScaled)
        number(style.weight)
        flag(style.isItalic)
        flag(style.isMonospaced)
        number(style.percent)
    }
}
