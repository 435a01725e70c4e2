/// The ligatures of a face: sequences of glyphs that it draws as one. A read past the end finds no ligature, as font
/// files are input like any other.
struct Ligatures {
    /// Each ligature as the glyphs that it stands for.
    private(set) var sequences: [[UInt32]] = []
    private let table: [UInt8]

    /// The most sequences that are read; no font has as many.
    private static let most = 1 << 16

    init(of face: FaceSource) {
        table = face.table("GSUB")
        guard let list = uint16(at: 8), let count = uint16(at: list) else { return }
        for lookup in 0..<count {
            guard let offset = uint16(at: list + 2 + 2 * lookup) else { return }
            read(lookup: list + offset)
        }
    }

    private mutating func read(lookup: Int) {
        guard let type = uint16(at: lookup), let count = uint16(at: lookup + 4) else { return }
        for place in 0..<count {
            guard let offset = uint16(at: lookup + 6 + 2 * place) else { return }
            let subtable = lookup + offset
            if type == 4 { read(subtable: subtable) }
            // An extension points to the subtable that it extends.
            guard type == 7, uint16(at: subtable + 2) == 4, let high = uint16(at: subtable + 4),
                let low = uint16(at: subtable + 6)
            else { continue }
            read(subtable: subtable + high << 16 + low)
        }
    }

    private mutating func read(subtable: Int) {
        guard let coverage = uint16(at: subtable + 2), let sets = uint16(at: subtable + 4) else { return }
        for (place, first) in glyphs(coverage: subtable + coverage).prefix(sets).enumerated() {
            guard let offset = uint16(at: subtable + 6 + 2 * place), let count = uint16(at: subtable + offset) else {
                return
            }
            let set = subtable + offset
            for ligature in 0..<count where sequences.count < Self.most {
                guard let offset = uint16(at: set + 2 + 2 * ligature), let parts = uint16(at: set + offset + 2) else {
                    return
                }
                let rest = (0..<max(0, parts - 1)).compactMap { uint16(at: set + offset + 4 + 2 * $0) }
                sequences.append([first] + rest.map { UInt32($0) })
            }
        }
    }

    private func glyphs(coverage: Int) -> [UInt32] {
        guard let format = uint16(at: coverage), let count = uint16(at: coverage + 2) else { return [] }
        if format == 1 { return (0..<count).compactMap { uint16(at: coverage + 4 + 2 * $0).map { UInt32($0) } } }
        return (0..<count).flatMap { range -> [UInt32] in
            guard let first = uint16(at: coverage + 4 + 6 * range), let last = uint16(at: coverage + 6 + 6 * range),
                first <= last
            else { return [] }
            return (first...last).map { UInt32($0) }
        }
    }

    private func uint16(at offset: Int) -> Int? {
        guard offset >= 0, offset + 1 < table.count else { return nil }
        return Int(table[offset]) << 8 | Int(table[offset + 1])
    }
}
