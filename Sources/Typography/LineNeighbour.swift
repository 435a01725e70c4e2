/// Letters that a line was cut within, as far as directions depend on them.
package enum LineNeighbour: UInt8, CaseIterable, Sendable {
    /// Letters that run as the paragraph does, or none.
    case usual = 0
    case leftToRight, rightToLeft, arabic

    /// The character that stands for them where the line is drawn by itself; empty where nothing is needed.
    package var mark: String {
        switch self {
        case .usual: ""
        case .leftToRight: "\u{200e}"
        case .rightToLeft: "\u{200f}"
        case .arabic: "\u{61c}"
        }
    }

    /// The word in JSON; nil for the usual letters.
    package var word: String? {
        switch self {
        case .usual: nil
        case .leftToRight: "ltr"
        case .rightToLeft: "rtl"
        case .arabic: "arabic"
        }
    }
}

extension LineTraits {
    private var turned: LineNeighbour { contains(.rightToLeft) ? .leftToRight : .rightToLeft }

    package var beginning: LineNeighbour {
        contains(.beginsArabic) ? .arabic : contains(.beginsTurned) ? turned : .usual
    }

    package var ending: LineNeighbour { contains(.endsTurned) ? turned : .usual }
}
