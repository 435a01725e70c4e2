/// What stands beside a line decides which way the neutral characters and the numbers at its ends run (UAX #9), and who draws the line by
/// itself does not see it. So lines say where they were cut within letters that run against their paragraph: a mark of that
/// direction (U+200E, U+200F) or of Arabic (U+061C) stands for what is gone. Where nothing depends on it, it changes nothing, so
/// levels are all that is asked for.
extension Line {
    mutating func markTurns(of text: borrowing MeasuredText) {
        guard start < end else { return }
        let run = text.run(at: start)
        if start > 0, !text.marks[Int(start) - 1].contains(.newline) {
            traits.formUnion(text.turn(before: self, run))
        }
        if end < text.count, !text.marks[Int(end) - 1].contains(.newline), text.turnsOn(behind: self, from: run) {
            traits.insert(.endsTurned)
        }
    }
}

extension MeasuredText {
    /// Whether something of it runs against its paragraph, or is a number in one that runs from right to left.
    var isMixed: Bool {
        let runs = runs.span
        for i in runs.indices where runs[i].level != runs[i].paragraphLevel { return true }
        return false
    }

    private func level(at place: Int32) -> UInt8 { runs[run(at: place)].level }

    /// What a line begins in.
    /// - Parameter first: the run that it begins in.
    fileprivate func turn(before line: Line, _ first: Int) -> LineTraits {
        let own = runs[first].paragraphLevel
        let (before, behind) = (level(at: line.start - 1), runs[first].level)
        if own & 1 == 0 {
            // A number is none of these letters only behind such as run from right to left.
            guard behind != own, before != own || behind & 1 == 0 else { return [] }
            switch letters(before: line.start) {
            case .arabic: return .beginsArabic
            case .leftToRight: return before != own && behind & 1 == 1 ? .beginsTurned : []
            case .rightToLeft, .usual: return .beginsTurned
            }
        }
        // Behind letters from left to right numbers are such letters; behind others they are not, but lines seldom end in the midst of them.
        if before & 1 == 0, behind & 1 == 0 { return .beginsTurned }
        guard behind & 1 == 0 || hasNumberAhead(on: line, first) else { return [] }
        switch letters(before: line.start) {
        case .arabic: return .beginsArabic
        case .leftToRight: return behind & 1 == 0 ? .beginsTurned : []
        case .rightToLeft, .usual: return []
        }
    }

    /// Whether a number may stand on a line of a paragraph from right to left before any word.
    private func hasNumberAhead(on line: Line, _ first: Int) -> Bool {
        for run in runs[first...] {
            if run.start > line.start + Self.longestSign || run.start >= line.end { return false }
            if run.level & 1 == 0 { return true }
        }
        return false
    }

    /// What stands in front of a number is shorter.
    private static let longestSign: Int32 = 4

    /// The nearest letters before a place. Neutral characters and numbers have the script of what stands beside them.
    private func letters(before place: Int32) -> LineNeighbour {
        for run in runs[...run(at: place - 1)].reversed() {
            if Self.arabicScripts.contains(run.script) { return .arabic }
            if Self.otherScripts.contains(run.script) { return .rightToLeft }
            if run.level & 1 == 0, run.script > Self.lastShared { return .leftToRight }
        }
        return .usual
    }

    /// Arabic, Syriac, Thaana, Hanifi Rohingya, Sogdian: those with letters of class AL.
    private static let arabicScripts: [UInt16] = [2, 34, 37, 182, 183]
    /// Hebrew, Mandaic, N'Ko, Samaritan, Adlam.
    private static let otherScripts: [UInt16] = [19, 84, 87, 126, 167]
    /// Common and Inherited.
    private static let lastShared: UInt16 = 1

    /// Whether letters that run against the paragraph, with which a line ends, go on behind it.
    fileprivate func turnsOn(behind line: Line, from first: Int) -> Bool {
        let own = runs[first].paragraphLevel
        var last = line.end - 1
        while last > line.start, !marks[Int(last)].isDisjoint(with: [.space, .softHyphen]) { last -= 1 }
        // A number is what it is by what stands before it.
        guard level(at: last) & 1 != own & 1 else { return false }
        for run in runs[run(at: last)...] {
            if run.start > line.end { break }
            if run.level == own { return false }
        }
        return true
    }
}
