internal import Typography

/// Arabic letters and their like take the form that the joining of their neighbours asks for, and nothing else about
/// those matters. Shapers look beside a stretch for that alone, so that it is shaped alike wherever its neighbours
/// join alike.
extension [CharacterRecord] {
    private static var transparent: UInt8 { 5 }
    /// Join_Causing, Dual_Joining and Left_Joining reach for what follows.
    private static var reachingOn: ClosedRange<UInt8> { 1...3 }
    /// The number of characters that shapers look over.
    private static var farthest: Int { 5 }

    /// The joining of the nearest character before unit `i` that is not transparent, as marks are.
    func joining(before i: Int) -> UInt8 {
        var i = i
        for _ in 0..<[CharacterRecord].farthest {
            guard i > 0 else { return 0 }
            i -= Swift.min(i, self[i - 1].length)
            if self[i].joining != [CharacterRecord].transparent { return self[i].joining }
        }
        return 0
    }

    /// The joining of the nearest such character from unit `i` on.
    func joining(at i: Int) -> UInt8 {
        var i = i
        for _ in 0..<[CharacterRecord].farthest {
            guard i < count else { return 0 }
            if self[i].joining != [CharacterRecord].transparent { return self[i].joining }
            i += self[i].length
        }
        return 0
    }

    /// Finds the clusters that join the one before them. A transparent cluster joins if the next one that is not does.
    func findJoins(_ marks: [Marks], into joins: inout JoinedPlaces) {
        var reachesOn = false
        var first = 0  // behind the last character that is not transparent
        var i = 0
        while i < count {
            let type = self[i].joining
            let end = i + Swift.max(1, self[i].length)
            if type != [CharacterRecord].transparent {
                if reachesOn && Self.reachesBack(type) {
                    for place in first...i where marks[place].contains(.cluster) { joins.insert(place) }
                }
                reachesOn = [CharacterRecord].reachingOn ~= type
                first = end
            }
            i = end
        }
    }

    /// Whether a type reaches back: Join_Causing, Dual_Joining and Right_Joining, of which Syriac has two kinds more.
    private static func reachesBack(_ type: UInt8) -> Bool { type == 1 || type == 2 || type == 4 || type >= 16 }
}
