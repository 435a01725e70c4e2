/// A lookup of GSUB or GPOS: rules of one type that are applied together.
struct FontLookup {
    private let table: FontTable
    private let isGSUB: Bool
    /// The type of the rules; for an extension, that of the rules that it extends.
    private var type: UInt16
    private let flags: UInt16
    private var subtables: [Int] = []

    /// Reads a lookup; nil when it cannot be read, as shapers then skip it.
    init?(_ number: UInt32, of table: FontTable, isGSUB: Bool) {
        guard let list = table.uint16(at: 8), let offset = table.uint16(at: Int(list) + 2 + 2 * Int(number)) else {
            return nil
        }
        let start = Int(list) + Int(offset)
        guard let type = table.uint16(at: start), let flags = table.uint16(at: start + 2),
            let count = table.uint16(at: start + 4)
        else { return nil }
        (self.table, self.isGSUB, self.type, self.flags) = (table, isGSUB, type, flags)
        for i in 0..<Int(count) {
            guard let offset = table.uint16(at: start + 6 + 2 * i) else { return nil }
            var subtable = start + Int(offset)
            if type == (isGSUB ? 7 : 9) {
                guard let own = table.uint16(at: subtable + 2), let far = table.uint32(at: subtable + 4) else {
                    return nil
                }
                self.type = own
                subtable += Int(far)
            }
            subtables.append(subtable)
        }
    }

    /// Whether the rules look at one glyph: single, multiple and alternate substitutions, and adjustments of one glyph.
    var looksAtOneGlyph: Bool { isGSUB ? 1...3 ~= type : type == 1 }

    /// Whether the rules attach marks: to bases, ligatures or other marks.
    var attachesMarks: Bool { !isGSUB && 4...6 ~= type }

    /// Whether every glyph that a rule looks at is in a coverage, a class or a list of it, and the rule skips nothing
    /// but marks. False where class 0, which is all other glyphs, has a part in it.
    var namesItsGlyphs: Bool {
        guard flags & (FontLookup.skipsBases | FontLookup.skipsLigatures) == 0 else { return false }
        let isContext = isGSUB ? 5...6 ~= type : 7...8 ~= type
        let isPairs = !isGSUB && type == 2
        return subtables.allSatisfy { subtable in
            guard table.uint16(at: subtable) == 2 else { return true }
            return isPairs ? !movesOtherGlyphs(subtable) : !isContext
        }
    }

    private static let skipsBases: UInt16 = 2
    private static let skipsLigatures: UInt16 = 4

    /// Whether pairs of classes move anything where the second glyph is of class 0.
    private func movesOtherGlyphs(_ subtable: Int) -> Bool {
        guard let first = table.uint16(at: subtable + 4), let second = table.uint16(at: subtable + 6),
            let rows = table.uint16(at: subtable + 12), let columns = table.uint16(at: subtable + 14)
        else { return true }
        let values = first.nonzeroBitCount + second.nonzeroBitCount
        return (0..<Int(rows)).contains { row in
            let record = subtable + 16 + 2 * values * row * Int(columns)
            return (0..<values).contains { table.uint16(at: record + 2 * $0) != 0 }
        }
    }
}
