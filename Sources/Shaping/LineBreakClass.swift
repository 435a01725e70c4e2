/// The line breaking classes of UAX #14, by their names there and ICU's numbers.
enum LineBreakClass: UInt8 {
    case xx, ai, al, b2, ba, bb, bk, cb, cl, cm, cr, ex, gl, hy, id, `in`, `is`, lf, ns, nu, op, po, pr, qu, sa, sg, sp
    case sy, zw, nl, wj, h2, h3, jl, jt, jv, cp, cj, hl, ri, eb, em, zwj
    /// Newer than ICU 72: hyphens that are never minus signs.
    case hh
    /// Before the first character and behind the last.
    case edge
}

extension LineBreakClass {
    /// The class by which a character is treated: LB1, with the small kana of CSS's `line-break: normal`, and the hyphens
    /// that Unicode 17 sets apart.
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
    /// Of the character, not of its marks.
    var traits: CharacterTraits = []
    var endsInJoiner = false
    var start: Int32 = 0

    static let letter = LineBreakAtom(kind: .al)

    var isEastAsian: Bool { traits.contains(.eastAsian) }
    var isInitialQuote: Bool { kind == .qu && traits.contains(.initialQuote) }
    var isFinalQuote: Bool { kind == .qu && traits.contains(.finalQuote) }
}

/// Reads a text by atoms.
struct LineBreakReader {
    /// Of the character that comes next; `edge` at the end.
    private var kind = LineBreakClass.edge
    private var traits: CharacterTraits = []
    private var position = 0
    private var end = 0

    init(_ text: [UInt16], _ table: CharacterTable) { look(at: text, table) }

    /// The next atom, or one of class `edge` at the end.
    mutating func next(in text: [UInt16], _ table: CharacterTable) -> LineBreakAtom {
        var atom = LineBreakAtom(kind: kind, traits: traits, start: Int32(truncatingIfNeeded: position))
        if kind.isMark {
            // Nothing before it to combine with: a letter (LB10).
            atom.kind = .al
            atom.traits = []
            atom.endsInJoiner = kind == .zwj
        }
        take(text, table)
        if atom.kind.refusesMarks { return atom }
        while kind.isMark {
            atom.endsInJoiner = kind == .zwj
            take(text, table)
        }
        return atom
    }

    private mutating func take(_ text: [UInt16], _ table: CharacterTable) {
        position = end
        look(at: text, table)
    }

    private mutating func look(at text: [UInt16], _ table: CharacterTable) {
        guard position < text.count else {
            kind = .edge
            return
        }
        let (scalar, length) = text.scalar(at: position)
        let record = table[scalar]
        kind = record.lineBreak
        traits = record.traits
        end = position + length
    }
}
