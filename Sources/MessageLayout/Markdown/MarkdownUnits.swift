/// The characters that mean something in markdown, by name.
extension UInt16 {
    static let tab: UInt16 = 0x09
    static let newline: UInt16 = 0x0a
    static let carriageReturn: UInt16 = 0x0d
    static let space: UInt16 = 0x20
    static let quotationMark: UInt16 = 0x22
    static let hash: UInt16 = 0x23
    static let apostrophe: UInt16 = 0x27
    static let openParenthesis: UInt16 = 0x28
    static let closeParenthesis: UInt16 = 0x29
    static let star: UInt16 = 0x2a
    static let plus: UInt16 = 0x2b
    static let minus: UInt16 = 0x2d
    static let period: UInt16 = 0x2e
    static let less: UInt16 = 0x3c
    static let greater: UInt16 = 0x3e
    static let openBracket: UInt16 = 0x5b
    static let backslash: UInt16 = 0x5c
    static let closeBracket: UInt16 = 0x5d
    static let underscore: UInt16 = 0x5f
    static let backtick: UInt16 = 0x60
    static let bar: UInt16 = 0x7c
    static let tilde: UInt16 = 0x7e

    /// Whether it is ASCII punctuation, which can be escaped.
    var isASCIIPunctuation: Bool {
        switch self {
        case 0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    var isBlank: Bool { self == .space || self == .tab }
    var isDigit: Bool { 0x30...0x39 ~= self }
    var isASCIILetter: Bool { 0x61...0x7a ~= self | 0x20 }
}

/// The sort of character on one side of a mark: emphasis depends on it.
enum Neighbour {
    case space, punctuation, letter

    /// East Asian punctuation counts as letters, and so do emoji: they stand against a text without a space, where
    /// CommonMark would not let emphasis end.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x09...0x0d, 0x20, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000: self = .space
        case 0..<0x80: self = UInt16(scalar.value).isASCIIPunctuation ? .punctuation : .letter
        case 0x80..<0x2e80: self = scalar.properties.generalCategory.isPunctuation ? .punctuation : .letter
        default: self = .letter
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isPunctuation: Bool {
        switch self {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}
