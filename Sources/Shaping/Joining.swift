/// Arabic letters and their like take the form that their neighbours ask for, whatever else those are. Shapers look
/// beside what they shape for that alone, so that a stretch is shaped alike wherever its neighbours join alike.
extension [CharacterRecord] {
    private static var transparent: UInt8 { 5 }
    /// In characters, as far as shapers look.
    private static var farthest: Int { 5 }

    /// How the nearest character before unit `i` joins that is not transparent, as marks are.
    func joining(before i: Int) -> UInt8 {
        var i = i
        for _ in 0..<[CharacterRecord].farthest {
            guard i > 0 else { return 0 }
            i -= Swift.min(i, self[i - 1].length)
            if self[i].joining != [CharacterRecord].transparent { return self[i].joining }
        }
        return 0
    }

    /// The same for the nearest from unit `i` on.
    func joining(at i: Int) -> UInt8 {
        var i = i
        for _ in 0..<[CharacterRecord].farthest {
            guard i < count else { return 0 }
            if self[i].joining != [CharacterRecord].transparent { return self[i].joining }
            i += self[i].length
        }
        return 0
    }
}
