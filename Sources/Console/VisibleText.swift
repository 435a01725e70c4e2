extension String {
    /// The text with a dot in the place of every character that a terminal does not show or would obey. Names and words
    /// of clients that post may hold what clears, colours or renames the terminal of an operator.
    package var visible: String {
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars { shown.append(scalar.properties.generalCategory.isShown ? scalar : "·") }
        return String(shown)
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isShown: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
