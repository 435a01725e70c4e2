/// The line breaking classes of UAX #14, by their names there and ICU's numbers.
enum LineBreakClass: UInt8 {
    case xx, ai, al, b2, ba, bb, bk, cb, cl, cm, cr, ex, gl, hy, id, `in`, `is`, lf, ns, nu, op, po, pr, qu, sa, sg, sp
    case sy, zw, nl, wj, h2, h3, jl, jt, jv, cp, cj, hl, ri, eb, em, zwj
    /// Newer than ICU 72: hyphens that are never minus signs.
    case hh
    /// The place before the first character and behind the last.
    case edge
}

extension LineBreakClass {
    /// The class by which a character is treated: LB1, with the small kana of CSS's `line-break: normal`, and the
    /// hyphens that Unicode 17 sets apart.
    init(resolving raw: UInt8, of scalar: UInt32, category: UInt8) {
        switch LineBreakClass(rawValue: raw) ?? .xx {
        case .xx, .ai, .sg: self = .al
        case .cj: self = .id
        // Mn and Mc.
        case .sa: self = category == 6 || category == 8 ? .cm : .al
        case .ba where LineBreakClass.isHyphen(scalar): self = .hh
        case let known: self = known
        }
    }

    private static func isHyphen(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x058a, 0x05be, 0x1400, 0x2010, 0x2012, 0x2013, 0x2e17, 0x2e40, 0x2e5d, 0x10ead: true
        default: false
        }
    }

    var isMark: Bool { self == .cm || self == .zwj }

    /// Whether combining marks behind it stand alone (LB9, LB10).
    var refusesMarks: Bool {
        switch self {
        case .bk, .cr, .lf, .nl, .sp, .zw, .edge: true
        default: false
        }
    }
}

/// A character and the marks that combine with it, as the rules of UAX #14 see them.
struct LineBreakAtom {
    var kind = LineBreakClass.edge
    /// The traits of the character, not of its marks.
    var traits: CharacterTraits = []
    var endsInJoiner = false
    var start: Int32 = 0

    static let letter = LineBreakAtom(kind: .al)

    var isEastAsian: Bool { traits.contains(.eastAsian) }
    var isInitialQuote: Bool { kind == .qu && traits.contains(.initialQuote) }
    var isFinalQuote: Bool { kind == .qu && traits.contains(.finalQuote) }
}

/// A reader of a text by atoms.
struct LineBreakReader {
    /// The character that comes next; of class `edge` at the end.
    private var record = CharacterRecord()
    private var position = 0
    private var isBehindLetter = false

    init(_ text: [CharacterRecord]) { look(at: text) }

    /// The next atom, or one of class `edge` at the end. From its second letter on, a word is one atom: no neighbour
    /// of the word reaches farther in.
    mutating func next(in text: [CharacterRecord]) -> LineBreakAtom {
        let kind = record.lineBreak
        var atom = LineBreakAtom(kind: kind, traits: record.traits, start: Int32(truncatingIfNeeded: position))
        if kind.isMark {
            // Nothing before it to combine with: a letter (LB10).
            atom.kind = .al
            atom.traits = []
            atom.endsInJoiner = kind == .zwj
        }
        take(text)
        if atom.kind.refusesMarks {
            isBehindLetter = false
            return atom
        }
        let isLetter = atom.kind == .al && !atom.isEastAsian
        while record.lineBreak.isMark || isLetter && isBehindLetter && record.isLetter {
            atom.endsInJoiner = record.lineBreak == .zwj
            take(text)
        }
        isBehindLetter = isLetter
        return atom
    }

    private mutating func take(_ text: [CharacterRecord]) {
        position += record.length
        look(at: text)
    }

    private mutating func look(at text: [CharacterRecord]) {
        if position < text.count { record = text[position] } else { record.lineBreak = .edge }
    }
}

extension CharacterRecord {
    fileprivate var isLetter: Bool { lineBreak == .al && !traits.contains(.eastAsian) }
}
