internal import CHarfBuzz

/// The effect of a face's layout tables on the letters of an alphabet, as far as it can be known without shaping.
///
/// If every rule that can apply among these letters is a kerning of pairs, then shaping any text of them is a sum
/// over pairs, exactly. Rules that substitute (`ffi`) are reported as pairs that must be shaped; a rule of any other
/// kind takes the letters it covers out of the alphabet. Reading is total: a rule that is not understood counts as
/// covering all of them.
struct LayoutRules {
    /// Glyphs that pairs alone do not decide about.
    private(set) var complexGlyphs: Set<UInt32> = []
    /// Pairs with which a substitution begins.
    private(set) var complexPairs: Set<UInt64> = []

    static func pair(_ a: UInt32, _ b: UInt32) -> UInt64 { UInt64(a) << 32 | UInt64(b) }

    init(of face: FontFace, script: UInt16, alphabet: Set<UInt32>) {
        guard ["morx", "mort", "kerx", "trak"].allSatisfy({ unsafe FontTable(face.face, $0).isEmpty }) else {
            complexGlyphs = alphabet
            return
        }
        read("GSUB", of: face, script: script, alphabet)
        read("GPOS", of: face, script: script, alphabet)
    }

    private mutating func read(_ name: StaticString, of face: FontFace, script: UInt16, _ alphabet: Set<UInt32>) {
        let table = unsafe FontTable(face.face, name)
        guard let list = table.uint16(at: 8) else { return }
        for lookup in face.activeLookups(table: name, script: script) {
            guard let offset = table.uint16(at: Int(list) + 2 + 2 * lookup) else { continue }
            let isGSUB = FontFace.tag(name) == FontFace.tag("GSUB")
            read(table, Int(list) + Int(offset), isGSUB: isGSUB, alphabet)
        }
    }

    private mutating func read(_ table: FontTable, _ lookup: Int, isGSUB: Bool, _ alphabet: Set<UInt32>) {
        guard let type = table.uint16(at: lookup), let count = table.uint16(at: lookup + 4) else { return }
        for i in 0..<Int(count) {
            guard let offset = table.uint16(at: lookup + 6 + 2 * i) else { return }
            var subtable = lookup + Int(offset)
            var type = type
            let extensionType: UInt16 = isGSUB ? 7 : 9
            if type == extensionType, let own = table.uint16(at: subtable + 2), let far = table.uint32(at: subtable + 4)
            {
                type = own
                subtable += Int(far)
            }
            if isGSUB {
                readSubstitution(table, subtable, type, alphabet)
            } else {
                readPositioning(table, subtable, type, alphabet)
            }
        }
    }

    private mutating func readSubstitution(_ table: FontTable, _ subtable: Int, _ type: UInt16, _ alphabet: Set<UInt32>)
    {
        switch type {
        case 4: readLigatures(table, subtable, alphabet)
        case 6 where table.uint16(at: subtable) == 3: readContext(table, subtable, alphabet)
        default: complexGlyphs.formUnion(covered(table, subtable + 2, from: subtable, alphabet) ?? alphabet)
        }
    }

    private mutating func readPositioning(_ table: FontTable, _ subtable: Int, _ type: UInt16, _ alphabet: Set<UInt32>)
    {
        switch type {
        case 2 where table.uint16(at: subtable + 6) == 0: break  // pairs, of which only the first glyph moves
        case 4, 5, 6: complexGlyphs.formUnion(covered(table, subtable + 2, from: subtable, alphabet) ?? alphabet)
        case 8 where table.uint16(at: subtable) == 3: readContext(table, subtable, alphabet)
        default: complexGlyphs.formUnion(covered(table, subtable + 2, from: subtable, alphabet) ?? alphabet)
        }
    }

    private mutating func readLigatures(_ table: FontTable, _ subtable: Int, _ alphabet: Set<UInt32>) {
        guard let first = coverage(table, subtable + 2, from: subtable), let sets = table.uint16(at: subtable + 4)
        else {
            complexGlyphs.formUnion(alphabet)
            return
        }
        for (i, glyph) in first.enumerated().prefix(Int(sets)) where alphabet.contains(glyph) {
            guard let offset = table.uint16(at: subtable + 6 + 2 * i) else { continue }
            let set = subtable + Int(offset)
            for n in 0..<Int(table.uint16(at: set) ?? 0) {
                guard let ligature = table.uint16(at: set + 2 + 2 * n).map({ set + Int($0) }),
                    let components = table.uint16(at: ligature + 2)
                else { continue }
                let rest = (0..<max(0, Int(components) - 1)).map {
                    table.uint16(at: ligature + 4 + 2 * $0).map(UInt32.init)
                }
                guard rest.allSatisfy({ $0.map(alphabet.contains) ?? true }) else { continue }
                if let second = rest.first, let second {
                    complexPairs.insert(LayoutRules.pair(glyph, second))
                } else {
                    complexGlyphs.insert(glyph)
                }
            }
        }
    }

    /// A rule with a coverage for each place, before, in and behind the glyphs it changes: it cannot apply when one of
    /// the places has no letter of the alphabet.
    private mutating func readContext(_ table: FontTable, _ subtable: Int, _ alphabet: Set<UInt32>) {
        var position = subtable + 2
        var places: [Set<UInt32>] = []
        for part in 0..<3 {
            let count = Int(table.uint16(at: position) ?? 0)
            var own = (0..<count).map { covered(table, position + 2 + 2 * $0, from: subtable, alphabet) ?? alphabet }
            if part == 0 { own.reverse() }
            places += own
            position += 2 + 2 * count
        }
        guard places.allSatisfy({ !$0.isEmpty }) else { return }
        for place in places { complexGlyphs.formUnion(place) }
    }

    private func covered(_ table: FontTable, _ field: Int, from base: Int, _ alphabet: Set<UInt32>) -> Set<UInt32>? {
        coverage(table, field, from: base).map { Set($0.filter(alphabet.contains)) }
    }

    /// The glyphs of a coverage table, in coverage order; nil when it cannot be read.
    private func coverage(_ table: FontTable, _ field: Int, from base: Int) -> [UInt32]? {
        guard let offset = table.uint16(at: field) else { return nil }
        let start = base + Int(offset)
        guard let format = table.uint16(at: start), let count = table.uint16(at: start + 2) else { return nil }
        switch format {
        case 1: return (0..<Int(count)).compactMap { table.uint16(at: start + 4 + 2 * $0).map(UInt32.init) }
        case 2:
            var glyphs: [UInt32] = []
            for i in 0..<Int(count) {
                let range = start + 4 + 6 * i
                guard let first = table.uint16(at: range), let last = table.uint16(at: range + 2), first <= last else {
                    return nil
                }
                glyphs += (UInt32(first)...UInt32(last))
            }
            return glyphs
        default: return nil
        }
    }
}

extension FontFace {
    /// The lookups that shaping this script applies by default: those of HarfBuzz's default features.
    func activeLookups(table: StaticString, script: UInt16) -> [Int] {
        let set = unsafe hb_set_create()
        defer { unsafe hb_set_destroy(set) }
        var count: UInt32 = 3
        var tags = [hb_tag_t](repeating: 0, count: 3)
        unsafe hb_ot_tags_from_script_and_language(
            hb_script_from_iso15924_tag(Unicode.tag(ofScript: script)), nil, &count, &tags, nil, nil)
        let scripts = tags.prefix(Int(count)) + [0]
        let features = FontFace.defaultFeatures + [0]
        unsafe hb_ot_layout_collect_lookups(
            face, FontFace.tag(table), Array(scripts), nil, features, set)
        var lookups: [Int] = []
        var next: hb_codepoint_t = forme_hb_set_invalid()
        while unsafe hb_set_next(set, &next) != 0 { lookups.append(Int(next)) }
        return lookups
    }

    /// The features that HarfBuzz applies by default, those of complex scripts included.
    static let defaultFeatures: [hb_tag_t] = [
        "rvrn", "ltra", "ltrm", "rand", "ccmp", "locl", "rlig", "abvm", "blwm", "mark", "mkmk", "calt", "clig", "curs",
        "dist", "kern", "liga", "rclt", "akhn", "blws", "abvs", "cjct", "half", "haln", "init", "isol", "fina", "fin2",
        "fin3", "medi", "med2", "nukt", "pref", "pres", "pstf", "psts", "rkrf", "rphf", "vatu", "cfar", "stch", "mset",
        "ljmo", "vjmo", "tjmo",
    ].map(tag)

    static func tag(_ name: StaticString) -> hb_tag_t {
        (0..<4).reduce(UInt32(0)) { unsafe $0 << 8 | UInt32(name.utf8Start[$1]) }
    }
}
