/// The address behind the text of a link: `(https://example.org "with a title")`. The title is read and forgotten.
struct LinkAddress {
    private(set) var address = ""
    /// The place behind the closing parenthesis.
    private(set) var end: Int
    private let units: [UInt16]

    /// Nil where there is none, or an empty one.
    init?(behind bracket: Int, in units: [UInt16]) {
        self.units = units
        end = bracket + 1
        guard skip(.openParenthesis) else { return nil }
        skipSpaces()
        guard let range = unit == .less ? pointed() : bare(), !range.isEmpty else { return nil }
        skipSpaces()
        skipTitle()
        guard skip(.closeParenthesis) else { return nil }
        address = unescaped(range)
    }

    private var unit: UInt16 { end < units.count ? units[end] : .newline }

    private mutating func skip(_ mark: UInt16) -> Bool {
        guard unit == mark else { return false }
        end += 1
        return true
    }

    private mutating func skipSpaces() {
        while unit.isBlank { end += 1 }
    }

    /// Reads an address in angle brackets: `<with spaces>`.
    private mutating func pointed() -> Range<Int>? {
        end += 1
        let start = end
        while unit != .greater {
            guard unit != .newline, unit != .less else { return nil }
            end += unit == .backslash && isEscape ? 2 : 1
        }
        end += 1
        return start..<end - 1
    }

    /// Reads an address up to a space, or up to a parenthesis that closes more than were opened. The limit of open
    /// ones keeps a text of nothing but starts of links from being read again at each.
    private mutating func bare() -> Range<Int>? {
        let start = end
        var open = 0
        while unit > .space {
            switch unit {
            case .openParenthesis:
                open += 1
                if open > 32 { return nil }
            case .closeParenthesis:
                if open == 0 { return start..<end }
                open -= 1
            case .backslash where isEscape: end += 1
            default: break
            }
            end += 1
        }
        return open == 0 ? start..<end : nil
    }

    private mutating func skipTitle() {
        let quote = unit
        guard quote == .quotationMark || quote == .apostrophe else { return }
        end += 1
        while end < units.count, unit != quote { end += unit == .backslash && isEscape ? 2 : 1 }
        end = min(end + 1, units.count)
        skipSpaces()
    }

    private var isEscape: Bool { end + 1 < units.count && units[end + 1].isASCIIPunctuation }

    private func unescaped(_ range: Range<Int>) -> String {
        var plain: [UInt16] = []
        var place = range.lowerBound
        while place < range.upperBound {
            if units[place] == .backslash, place + 1 < range.upperBound, units[place + 1].isASCIIPunctuation {
                place += 1
            }
            plain.append(units[place])
            place += 1
        }
        return String(decoding: plain, as: UTF16.self)
    }
}

extension InlineParser {
    /// The end of the web address that starts here; nil if none does. Nothing in it is a mark, or `__init__` would
    /// lead elsewhere. Punctuation at its end is not taken for a part of it, so that it can stand in `**`.
    func endOfAddress(at start: Int) -> Int? {
        if start > 0, units[start - 1].isASCIILetter || units[start - 1].isDigit { return nil }
        var place = start
        for letter in "http".utf16 {
            guard unit(at: place) | 0x20 == letter else { return nil }
            place += 1
        }
        if unit(at: place) | 0x20 == 0x73 { place += 1 }
        for letter in "://".utf16 {
            guard unit(at: place) == letter else { return nil }
            place += 1
        }
        let least = place
        while isPartOfAddress(unit(at: place)) { place += 1 }
        while place > least, unit(at: place - 1).isASCIIPunctuation { place -= 1 }
        return place
    }

    private func isPartOfAddress(_ unit: UInt16) -> Bool {
        switch unit {
        case 0...0x20, .less, .greater, .openBracket, .closeBracket, .backtick, .bar, .quotationMark, 0x3000: false
        default: true
        }
    }
}
