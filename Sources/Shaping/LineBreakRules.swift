/// UAX #14 as Unicode 17 has it, over a window of five atoms: whether a line may break between `before` and `after`.
///
/// ICU 72 knows the rules of Unicode 15. Since then quotation marks between East Asian characters no longer glue
/// (LB19a), more hyphens stay with the word that they begin (LB20a), and numbers are cut otherwise (LB25). Left out
/// are the rules about text behind spaces, because browsers break behind every space, and the syllables of Balinese,
/// Javanese and their kin (LB28a), because ICU 72 does not know their classes.
struct LineBreakRules {
    private(set) var earlier = LineBreakAtom()
    private(set) var before = LineBreakAtom()
    private(set) var after = LineBreakAtom()
    private(set) var next = LineBreakAtom()
    private(set) var later = LineBreakAtom()
    private var number = NumberEnd.none
    /// Whether `before` ends an odd count of regional indicators.
    private var leavesRegionOpen = false

    /// Whether `before` ends a number (LB25): NU (SY | IS)*, or that and a closing bracket.
    private enum NumberEnd { case none, digits, bracket }

    /// Moves the window on by one atom.
    mutating func take(_ atom: LineBreakAtom) {
        earlier = before
        before = after
        after = next
        next = later
        later = atom
        switch before.kind {
        case .nu: number = .digits
        case .sy, .is: number = number == .digits ? .digits : .none
        case .cl, .cp: number = number == .digits ? .bracket : .none
        default: number = .none
        }
        leavesRegionOpen = before.kind == .ri && !leavesRegionOpen
    }

    var isOpportunity: Bool {
        switch (before.kind, after.kind) {
        case (.al, .al): false
        case (.id, .id): !before.endsInJoiner
        default: spaces ?? quotes ?? hyphens ?? words ?? syllables ?? true
        }
    }
}

// The rules in the order of the annex. Nil passes the question on.
extension LineBreakRules {
    /// LB4 to LB14: mandatory breaks, spaces, joiners, glue and brackets.
    private var spaces: Bool? {
        switch (before.kind, after.kind) {
        case (.edge, _), (.cr, .lf): false
        case (.bk, _), (.cr, _), (.lf, _), (.nl, _): true
        case (_, .bk), (_, .cr), (_, .lf), (_, .nl), (_, .sp), (_, .zw): false
        case (.zw, _), (.sp, _): true
        case _ where before.endsInJoiner: false
        case (_, .wj), (.wj, _), (.gl, _): false
        case (.ba, .gl), (.hy, .gl), (.hh, .gl): nil
        case (_, .gl), (_, .cl), (_, .cp), (_, .ex), (_, .sy), (.op, _): false
        default: nil
        }
    }

    /// LB15a to LB19a.
    private var quotes: Bool? {
        if before.isInitialQuote && earlier.kind.mayStandBeforeInitialQuote { return false }
        if after.isFinalQuote && next.kind.mayFollowFinalQuote { return false }
        switch (before.kind, after.kind) {
        case (_, .is), (.cl, .ns), (.cp, .ns), (.b2, .b2): return false
        case (_, .qu):
            if !after.isInitialQuote || !before.isEastAsian || !next.isEastAsian { return false }
        default: break
        }
        if before.kind == .qu && (!before.isFinalQuote || !after.isEastAsian || !earlier.isEastAsian) { return false }
        return nil
    }

    /// LB20 to LB22.
    private var hyphens: Bool? {
        switch (before.kind, after.kind) {
        case (.cb, _), (_, .cb): true
        case (.hy, .al), (.hy, .hl), (.hh, .al), (.hh, .hl):
            earlier.kind.mayStandBeforeWord || earlier.kind == .hl && after.kind != .hl ? false : nil
        case (_, .ba), (_, .hh), (_, .hy), (_, .ns), (_, .in), (.bb, _), (.sy, .hl): false
        case (.hy, _), (.hh, _): earlier.kind == .hl ? false : nil
        default: nil
        }
    }

    /// LB23 to LB25, LB28 to LB30: letters and numbers.
    private var words: Bool? {
        switch (before.kind, after.kind) {
        case (.al, .nu), (.hl, .nu), (.nu, .al), (.nu, .hl), (.al, .al), (.al, .hl), (.hl, .al), (.hl, .hl): false
        case (.pr, .al), (.pr, .hl), (.po, .al), (.po, .hl), (.al, .pr), (.al, .po), (.hl, .pr), (.hl, .po): false
        case (.pr, .nu), (.po, .nu), (.hy, .nu), (.is, .nu), (.is, .al), (.is, .hl): false
        case (_, .nu) where number == .digits: false
        case (_, .po) where number != .none: false
        case (_, .pr) where number != .none: false
        case (.pr, .op), (.po, .op):
            next.kind == .nu || next.kind == .is && later.kind == .nu ? false : nil
        case (.al, .op), (.hl, .op), (.nu, .op): after.isEastAsian ? nil : false
        case (.cp, .al), (.cp, .hl), (.cp, .nu): before.isEastAsian ? nil : false
        default: nil
        }
    }

    /// LB23a, LB26, LB27, LB30a and LB30b: ideographs, Korean syllables and emoji.
    private var syllables: Bool? {
        switch (before.kind, after.kind) {
        case (.pr, .id), (.pr, .eb), (.pr, .em), (.id, .po), (.eb, .po), (.em, .po): false
        case (.jl, .jl), (.jl, .jv), (.jl, .h2), (.jl, .h3): false
        case (.jv, .jv), (.jv, .jt), (.h2, .jv), (.h2, .jt), (.jt, .jt), (.h3, .jt): false
        case (.jl, .po), (.jv, .po), (.jt, .po), (.h2, .po), (.h3, .po): false
        case (.pr, .jl), (.pr, .jv), (.pr, .jt), (.pr, .h2), (.pr, .h3): false
        case (.ri, .ri): !leavesRegionOpen
        case (.eb, .em): false
        case (_, .em): before.traits.contains(.unassignedPictograph) ? false : nil
        default: nil
        }
    }
}

extension LineBreakClass {
    /// LB15a.
    fileprivate var mayStandBeforeInitialQuote: Bool {
        switch self {
        case .edge, .bk, .cr, .lf, .nl, .op, .qu, .gl, .sp, .zw: true
        default: false
        }
    }

    /// LB15b.
    fileprivate var mayFollowFinalQuote: Bool {
        switch self {
        case .sp, .gl, .wj, .cl, .qu, .cp, .ex, .is, .sy, .bk, .cr, .lf, .nl, .zw, .edge: true
        default: false
        }
    }

    /// LB20a.
    fileprivate var mayStandBeforeWord: Bool {
        switch self {
        case .edge, .bk, .cr, .lf, .nl, .sp, .zw, .cb, .gl: true
        default: false
        }
    }
}

extension LineBreakRules {
    /// Sets `Unicode.opportunity` at every unit before which a line may break by these rules. Words of scripts that
    /// need a dictionary stay whole.
    static func mark(_ marks: inout [UInt16], of text: [UInt16], _ characters: [CharacterRecord]) {
        var reader = LineBreakReader(characters)
        var rules = LineBreakRules()
        for _ in 0..<3 { rules.take(reader.next(in: characters)) }
        while rules.after.kind != .edge {
            let place = Int(rules.after.start)
            // Between ASCII characters and beside spaces browsers ask another table.
            let (a, b) = (place > 0 ? text[place - 1] : 0, text[place])
            let isOther = isASCII(a) && isASCII(b) || a == space || b == space
            if !isOther && rules.isOpportunity { marks[place] |= Unicode.opportunity }
            rules.take(reader.next(in: characters))
        }
    }

    private static func isASCII(_ unit: UInt16) -> Bool { 0x20...0x7e ~= unit }

    /// Whether a line may break between two characters, judged as if they stood between letters.
    static func breaks(between before: LineBreakAtom, and after: LineBreakAtom) -> Bool {
        var rules = LineBreakRules()
        for atom in [.letter, before, after, .letter, LineBreakAtom()] { rules.take(atom) }
        return rules.isOpportunity
    }
}
