internal import CICU

/// The classes of UAX #29, with the additions of ICU: consonants that a virama links into one cluster.
enum ClusterClass: UInt8 {
    case other, control, cr, lf, extend, zwj, prepend, spacingMark, l, v, t, lv, lvt, regional, pictograph
    case consonant, virama
    /// Extends a cluster, and may stand between consonant and virama.
    case linking

    /// The classes by ICU's numbers.
    private static let classes: [ClusterClass] = [
        .other, .control, .cr, .extend, .l, .lf, .lv, .lvt, .t, .v, .spacingMark, .prepend, .regional, .other, .other,
        .other, .other, .zwj,
    ]
    /// The scripts whose viramas link, by ICU's numbers: Bengali, Devanagari, Gujarati, Malayalam, Oriya, Telugu.
    private static let linkingScripts: [UInt16] = [4, 10, 15, 26, 31, 36]

    init(_ facts: forme_character) {
        func has(_ flag: Int) -> Bool { Int(facts.flags) & flag != 0 }
        let known = ClusterClass.classes[Int(facts.cluster)]
        let links = ClusterClass.linkingScripts.contains(facts.script)
        switch known {
        case .extend where links && has(FORME_CHARACTER_VIRAMA): self = .virama
        case .extend where has(FORME_CHARACTER_COMBINES): self = .linking
        case .other where links && has(FORME_CHARACTER_CONSONANT): self = .consonant
        case .other where has(FORME_CHARACTER_EXTENDED_PICTOGRAPHIC): self = .pictograph
        default: self = known
        }
    }

    /// Whether the class can join clusters. A text without such characters has a cluster for each character.
    var joins: Bool {
        switch self {
        case .other, .control, .lf, .lv, .lvt, .pictograph, .consonant: false
        case .cr, .extend, .zwj, .prepend, .spacingMark, .l, .v, .t, .regional, .virama, .linking: true
        }
    }
}

/// Extended grapheme clusters: UAX #29 as ICU 72 has it.
struct GraphemeClusters {
    private var before = ClusterClass.control
    /// The sequence that `before` ends: a pictograph and its extensions; then perhaps a joiner.
    private var pictograph = Sequence.none
    /// The sequence that `before` ends: a consonant and its extensions; then perhaps with a virama among them.
    private var consonant = Sequence.none
    /// Whether `before` ends an odd count of regional indicators.
    private var leavesRegionOpen = false

    private enum Sequence { case none, begun, linked }

    /// Sets `Unicode.cluster` at every unit where a cluster begins.
    static func mark(_ marks: inout [UInt16], of characters: [CharacterRecord], _ units: [UInt16]) {
        var rules = GraphemeClusters()
        for i in characters.indices where !UTF16.isTrailSurrogate(units[i]) {
            let next = characters[i].cluster
            if rules.breaks(before: next) { marks[i] |= Unicode.cluster }
            rules.take(next)
        }
    }

    private func breaks(before after: ClusterClass) -> Bool {
        switch (before, after) {
        case (.other, .other): true
        case (.cr, .lf): false
        case (.control, _), (.cr, _), (.lf, _), (_, .control), (_, .cr), (_, .lf): true
        case (_, .extend), (_, .zwj), (_, .virama), (_, .linking), (_, .spacingMark), (.prepend, _): false
        case (.l, .l), (.l, .v), (.l, .lv), (.l, .lvt), (.lv, .v), (.v, .v): false
        case (.lv, .t), (.v, .t), (.lvt, .t), (.t, .t): false
        case (_, .consonant): consonant != .linked
        case (_, .pictograph): pictograph != .linked
        case (.regional, .regional): !leavesRegionOpen
        default: true
        }
    }

    private mutating func take(_ next: ClusterClass) {
        switch next {
        case .pictograph: pictograph = .begun
        case .extend, .virama, .linking: if pictograph == .linked { pictograph = .none }
        case .zwj: pictograph = pictograph == .begun ? .linked : .none
        default: pictograph = .none
        }
        switch next {
        case .consonant: consonant = .begun
        case .virama: if consonant == .begun { consonant = .linked }
        case .linking, .zwj: break
        default: consonant = .none
        }
        leavesRegionOpen = next == .regional && !leavesRegionOpen
        before = next
    }
}
