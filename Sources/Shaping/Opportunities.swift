/// The places where browsers break lines otherwise than UAX #14.
///
/// Between two characters of `!`…`~` a browser asks a table of its own, behind spaces it always breaks, and it reads
/// pairs of Latin-1 without their surroundings. All was measured; the oracle's cases hold it.
enum BrowserBreaks {
    /// Whether a line may break between two ASCII characters that are neither spaces nor controls.
    static func breaks(between a: UInt8, and b: UInt8, after before: UInt8?) -> Bool {
        if a == UInt8(ascii: "-") && isDigit(b) {
            return before.map(isLetterOrDigit) ?? false
        }
        if a == UInt8(ascii: "-") { return !closesAfterHyphen[Int(b)] }
        if a == UInt8(ascii: "?") { return !closesAfterQuestion[Int(b)] }
        return opens[Int(b)] && yields[Int(a)]
    }

    static func isPrintable(_ unit: UInt16) -> Bool { unit > 0x20 && unit < 0x7f }

    private static func isDigit(_ c: UInt8) -> Bool { 0x30...0x39 ~= c }

    private static func isLetterOrDigit(_ c: UInt8) -> Bool {
        isDigit(c) || 0x41...0x5a ~= c || 0x61...0x7a ~= c
    }

    private static let closesAfterHyphen = set("!$),./:;?]}")
    private static let closesAfterQuestion = set("!\"'),./:;?]}")
    private static let opens = set("(<[{")
    private static let yields = set("!\"#%&)*+,-.:;=>?\\]|}~")

    private static func set(_ characters: StaticString) -> [Bool] {
        var set = [Bool](repeating: false, count: 128)
        for place in 0..<characters.utf8CodeUnitCount { unsafe set[Int(characters.utf8Start[place])] = true }
        return set
    }
}

extension BrowserBreaks {
    /// Turns the opportunities of UAX #14 into a browser's.
    static func correct(_ marks: inout [UInt16], of text: [UInt16]) {
        set(&marks[0], false)
        for i in text.indices.dropFirst() {
            let a = text[i - 1]
            let b = text[i]
            if a == space || a == tab {
                set(&marks[i], b != space && b != tab && b != newline)
            } else if isPrintable(a) && isPrintable(b) {
                let before = i > 1 && text[i - 2] < 0x80 ? UInt8(text[i - 2]) : nil
                set(&marks[i], breaks(between: UInt8(a), and: UInt8(b), after: before))
            } else if a == newline || b == space || b == tab || b == newline {
                // The text behind a newline begins a line anyway.
                set(&marks[i], false)
            } else if isLatin(a) && isLatin(b) && a != UInt16(UInt8(ascii: "-")) {
                set(&marks[i], LineBreakRules.breaks(between: latin[Int(a)], and: latin[Int(b)]))
            }
        }
    }

    /// Whether the unit is between `!` and `ÿ`, and no control.
    private static func isLatin(_ unit: UInt16) -> Bool { isPrintable(unit) || 0xa0...0xff ~= unit }

    /// Pairs of Latin-1 characters break as if letters stood on both sides: `5.|£`, where UAX #14 sees a number.
    private static let latin: [LineBreakAtom] = (0...0xff).map { (scalar: UInt32) in
        let record = CharacterRecord(scalar)
        return LineBreakAtom(kind: record.lineBreak, traits: record.traits)
    }

    /// Moves opportunities behind ideographic spaces, which hang at the end of the line: the line breaks behind all
    /// spaces, and not before them.
    static func moveBehindIdeographicSpaces(_ marks: inout [UInt16], of text: [UInt16]) {
        var end = 0  // of the spaces at hand
        for i in text.indices where text[i] == ideographicSpace && marks[i] & Unicode.opportunity != 0 {
            set(&marks[i], false)
            if i >= end {
                end = text[i...].firstIndex { $0 != ideographicSpace && $0 != space && $0 != tab } ?? text.count
            }
            if end < text.count, text[end] != newline { set(&marks[end], true) }
        }
    }

    private static func set(_ mark: inout UInt16, _ isOpportunity: Bool) {
        if isOpportunity { mark |= Unicode.opportunity } else { mark &= ~Unicode.opportunity }
    }
}
