/// The slices of a face of emoji, whose sequences are ligatures. Characters that stand in one sequence are in one
/// slice, but for those that stand in sequences with nearly all others: tones, signs and grown-ups are in every slice
/// with a sequence that has them. Flags of countries are two letters of 26; each slice of them has a third of these,
/// and any two are in one of the slices.
struct EmojiSlices {
    private(set) var slices: [FontSlice] = []

    /// Joiner and selector, tones, female and male, and man, woman and person.
    private static let shared: Set<UInt32> = Set([0x200d, 0xfe0f, 0x2640, 0x2642, 0x1f468, 0x1f469, 0x1f9d1]).union(
        0x1f3fb...0x1f3ff)
    /// Joiner and selector: they draw nothing, and turn their neighbours into one glyph where all of them are in one
    /// slice.
    fileprivate static let glue: Set<UInt32> = [0x200d, 0xfe0f]
    private static let tags: ClosedRange<UInt32> = 0xe0020...0xe007f
    private static let letters: ClosedRange<UInt32> = 0x1f1e6...0x1f1ff
    private static let letterGroups = 6
    /// Pictures in a slice; each has about 2.7 KB in today's fonts.
    private static let pictures = 32

    /// Characters that stand in sequences with each other, and the shared characters of these sequences.
    fileprivate struct Group {
        var characters: Set<UInt32>
        var shared: Set<UInt32>
        var pictures: Int
    }

    init(of face: FaceSource, _ characters: [UInt32]) {
        var group: [UInt32: Int] = [:]
        let others = characters.filter { !Self.shared.contains($0) && !(Self.letters ~= $0) }
        var groups: [Group] = others.enumerated().map { place, character in
            group[character] = place
            return Group(characters: [character], shared: [], pictures: 1)
        }
        var people = Group(characters: Self.shared.intersection(characters), shared: [], pictures: Self.pictures)
        for sequence in face.sequences(of: characters) where !sequence.contains(where: { Self.letters ~= $0 }) {
            let own = Set(sequence).subtracting(Self.shared)
            guard let first = own.compactMap({ group[$0] }).min() else {
                people.pictures += 1
                continue
            }
            for place in Set(own.compactMap { group[$0] }) where place != first {
                for character in groups[place].characters { group[character] = first }
                groups[first].merge(groups[place])
                groups[place].characters = []
            }
            groups[first].shared.formUnion(Self.shared.intersection(sequence))
            groups[first].pictures += 1
        }
        groups.removeAll { $0.characters.isEmpty }
        // The first slice that has a cluster draws it. So a character that begins many sequences, such as a heart, is
        // fetched without them where it stands by itself; so are the shared ones.
        let large = groups.filter { $0.pictures > Self.pictures && !$0.characters.contains { Self.tags ~= $0 } }
        if !large.isEmpty {
            slices.append(FontSlice(characters: large.reduce(Self.glue) { $0.union($1.characters) }.sorted()))
        }
        slices.append(FontSlice(characters: people.characters.sorted()))
        pack(groups)
        addFlags(characters.filter { Self.letters ~= $0 })
        // A face may do without the selector.
        let known = Set(characters)
        slices = slices.map { FontSlice(characters: $0.characters.filter(known.contains)) }
    }

    private mutating func addFlags(_ letters: [UInt32]) {
        let groups = (0..<Self.letterGroups).map { group in
            letters.enumerated().filter { $0.offset % Self.letterGroups == group }.map(\.element)
        }
        for first in groups.indices {
            for second in groups.indices where second > first && !groups[second].isEmpty {
                slices.append(FontSlice(characters: (groups[first] + groups[second]).sorted()))
            }
        }
    }

    private mutating func pack(_ groups: [Group]) {
        var next: Group?
        for group in groups {
            if let slice = next, slice.pictures + group.pictures > Self.pictures {
                slices.append(slice.slice)
                next = nil
            }
            next?.merge(group)
            if next == nil { next = group }
        }
        if let next { slices.append(next.slice) }
    }
}

extension EmojiSlices.Group {
    fileprivate mutating func merge(_ other: Self) {
        characters.formUnion(other.characters)
        shared.formUnion(other.shared)
        pictures += other.pictures
    }

    fileprivate var slice: FontSlice {
        FontSlice(characters: characters.union(shared).union(EmojiSlices.glue).sorted())
    }
}

extension FaceSource {
    /// The sequences of characters that the face draws by one glyph.
    fileprivate func sequences(of characters: [UInt32]) -> [[UInt32]] {
        var character: [UInt32: UInt32] = [:]
        for next in characters { if let glyph = glyph(of: next), character[glyph] == nil { character[glyph] = next } }
        return Ligatures(of: self).sequences.map { $0.compactMap { character[$0] } }
    }
}
