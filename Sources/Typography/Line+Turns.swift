/// The characters beside a line decide the direction of the neutral characters and the numbers at its ends (UAX #9),
/// and a client that draws the line by itself does not see them. So lines are marked where they were cut within letters
/// that run against their paragraph: a mark of that direction (U+200E, U+200F) or of Arabic (U+061C) stands for the
/// letters that are gone. A mark that nothing depends on changes nothing, so levels are all that is looked at.
extension Line {
    /// - Parameter letters: those before lines above it, of the same text.
    mutating func markTurns(of text: borrowing MeasuredText, _ letters: inout LettersBefore) {
        guard start < end else { return }
        let run = text.run(at: start)
        if start > 0, !text.marks[Int(start) - 1].contains(.newline) {
            traits.formUnion(beginning(in: text, run, &letters))
        }
        if end < text.count, !text.marks[Int(end) - 1].contains(.newline), turnsOn(in: text, from: run) {
            traits.insert(.endsTurned)
        }
    }

    /// The marks for the beginning of the line.
    /// - Parameter first: the run that the line begins in.
    private func beginning(
        in text: borrowing MeasuredText, _ first: Int, _ letters: inout LettersBefore
    ) -> LineTraits {
        let own = text.runs[first].paragraphLevel
        let (before, behind) = (text.level(at: start - 1), text.runs[first].level)
        if own & 1 == 0 {
            // A number stands apart from the paragraph's letters only behind letters that run from right to left.
            guard behind != own, before != own || behind & 1 == 0 else { return [] }
            switch letters.nearest(to: self, in: text) {
            case .arabic: return .beginsArabic
            case .leftToRight: return before != own && behind & 1 == 1 ? .beginsTurned : []
            case .rightToLeft, .usual: return .beginsTurned
            }
        }
        // Behind letters from left to right, numbers count as such letters; behind others they do not, but lines
        // seldom end in the midst of them.
        if before & 1 == 0, behind & 1 == 0 { return .beginsTurned }
        guard behind & 1 == 0 || hasNumberAhead(in: text, first) else { return [] }
        switch letters.nearest(to: self, in: text) {
        case .arabic: return .beginsArabic
        case .leftToRight: return behind & 1 == 0 ? .beginsTurned : []
        case .rightToLeft, .usual: return []
        }
    }

    /// Whether a number may stand on a line of a paragraph from right to left before any word.
    private func hasNumberAhead(in text: borrowing MeasuredText, _ first: Int) -> Bool {
        for run in text.runs[first...] {
            if run.start > start + Self.longestSign || run.start >= end { return false }
            if run.level & 1 == 0 { return true }
        }
        return false
    }

    /// The most units of a sign in front of a number.
    private static let longestSign: Int32 = 4

    /// Whether letters that run against the paragraph, with which the line ends, go on behind it.
    private func turnsOn(in text: borrowing MeasuredText, from first: Int) -> Bool {
        let own = text.runs[first].paragraphLevel
        var last = end - 1
        while last > start, !text.marks[Int(last)].isDisjoint(with: [.space, .softHyphen]) { last -= 1 }
        // The kind of a number depends on the text before it.
        guard text.level(at: last) & 1 != own & 1 else { return false }
        for run in text.runs[text.run(at: last)...] {
            if run.start > end { break }
            if run.level == own { return false }
        }
        return true
    }
}

/// The nearest letters before each line of a text, from above to below. No run is looked at twice, as a text may be
/// thousands of numbers without a letter.
struct LettersBefore {
    /// The number of runs that were looked at, and the last letters in these.
    private var runs = 0
    private var found = LineNeighbour.usual

    mutating func nearest(to line: Line, in text: borrowing MeasuredText) -> LineNeighbour {
        let end = text.run(at: line.start - 1) + 1
        for run in text.runs[runs..<end].reversed() {
            guard let letters = Self.letters(of: run) else { continue }
            found = letters
            break
        }
        runs = end
        return found
    }

    /// The letters of a run; nil where it has none. Neutral characters and numbers have the script of their neighbours.
    private static func letters(of run: TextRun) -> LineNeighbour? {
        if arabicScripts.contains(run.script) { return .arabic }
        if otherScripts.contains(run.script) { return .rightToLeft }
        return run.level & 1 == 0 && run.script > lastShared ? .leftToRight : nil
    }

    /// Arabic, Syriac, Thaana, Hanifi Rohingya, Sogdian: those with letters of class AL.
    private static let arabicScripts: [UInt16] = [2, 34, 37, 182, 183]
    /// Hebrew, Mandaic, N'Ko, Samaritan, Adlam.
    private static let otherScripts: [UInt16] = [19, 84, 87, 126, 167]
    /// Common and Inherited.
    private static let lastShared: UInt16 = 1
}

extension MeasuredText {
    /// Whether any of it runs against its paragraph, or is a number in a paragraph that runs from right to left.
    var isMixed: Bool {
        let runs = runs.span
        for i in runs.indices where runs[i].level != runs[i].paragraphLevel { return true }
        return false
    }

    fileprivate func level(at place: Int32) -> UInt8 { runs[run(at: place)].level }
}
