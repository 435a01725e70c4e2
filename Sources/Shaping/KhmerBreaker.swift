/// A breaker that finds the words of Khmer, which writes no spaces between them, as browsers do.
///
/// At each place the longest word is taken after which two more follow, or one that ends the run; else the shortest
/// after which one follows, else the longest. Letters that begin no word join the word before them when it is short,
/// up to the beginning of the next. These are ICU's rules, but browsers call more words short than ICU does.
struct KhmerBreaker {
    let words: WordTrie

    /// The length from which on a word is not joined by the letters behind it.
    private static let joined = 10
    /// Letters that begin as many letters of some word are not joined to the word before them.
    private static let promising = 4
    private static let shortestText = 4

    /// Letters and signs that make words; the punctuation of the block is not among them.
    static func isLetter(_ scalar: UInt32) -> Bool {
        0x1780...0x17d3 ~= scalar || scalar == 0x17d7 || scalar == 0x17dc || scalar == 0x17dd
    }

    private static func isSign(_ unit: UInt16) -> Bool { 0x17b4...0x17d3 ~= unit || unit == 0x17dd }
    private static func beginsWord(_ unit: UInt16) -> Bool { 0x1780...0x17b3 ~= unit }
    /// Whether a word may end behind a unit. The letter behind a coeng is written below the letter before it.
    private static func endsWord(_ unit: UInt16) -> Bool { unit != 0x17d2 }

    /// Marks every word but the first of a run of letters.
    func mark(_ marks: inout [UInt16], of text: [UInt16], in run: Range<Int>) {
        guard run.count >= KhmerBreaker.shortestText else { return }
        let letters = text[run]
        var place = run.lowerBound
        while place < run.upperBound {
            if place > run.lowerBound { marks[place] |= Unicode.opportunity }
            place = wordEnd(from: place, in: letters)
        }
    }

    private func wordEnd(from start: Int, in letters: ArraySlice<UInt16>) -> Int {
        let length = wordLength(at: start, in: letters)
        var end = start + length
        if end < letters.endIndex && length < KhmerBreaker.joined {
            let rest = matches(at: end, in: letters)
            if rest.isEmpty && (length == 0 || rest.prefix < KhmerBreaker.promising) {
                end = nextWord(behind: end, in: letters)
            }
        }
        return letters[end...].firstIndex { !KhmerBreaker.isSign($0) } ?? letters.endIndex
    }

    private func wordLength(at start: Int, in letters: ArraySlice<UInt16>) -> Int {
        let candidates = matches(at: start, in: letters)
        if candidates.isEmpty { return 0 }
        if start + candidates.longest >= letters.endIndex { return candidates.longest }
        var best = candidates.longest
        for length in candidates.descending {
            switch wordsFollowing(start + length, in: letters) {
            case .none: continue
            case .one: best = length
            case .many: return length
            }
        }
        return best
    }

    private enum Following { case none, one, many }

    /// Whether two words follow, or one that ends the run.
    private func wordsFollowing(_ place: Int, in letters: ArraySlice<UInt16>) -> Following {
        let second = matches(at: place, in: letters)
        if second.isEmpty { return .none }
        if place + second.longest >= letters.endIndex { return .many }
        let isFollowed = second.descending.contains { !matches(at: place + $0, in: letters).isEmpty }
        return isFollowed ? .many : .one
    }

    private func nextWord(behind start: Int, in letters: ArraySlice<UInt16>) -> Int {
        var place = start + 1
        while place < letters.endIndex {
            let mayBegin = KhmerBreaker.endsWord(letters[place - 1]) && KhmerBreaker.beginsWord(letters[place])
            if mayBegin && !matches(at: place, in: letters).isEmpty { break }
            place += 1
        }
        return place
    }

    private func matches(at place: Int, in letters: ArraySlice<UInt16>) -> WordMatches {
        words.matches(letters[place...].lazy.map { UInt8(truncatingIfNeeded: $0 - KhmerDictionary.firstLetter) })
    }
}
