/// Words that somebody probably meant.
package enum Spelling {
    /// The known word that is the fewest slips away: letters too many, too few, changed or swapped. Nil where it would
    /// be a guess.
    package static func nearest(_ word: String, among known: [String]) -> String? {
        let word = Array(word.lowercased())
        let most = max(1, word.count / 3)
        var best: (word: String, slips: Int)?
        for other in known {
            let slips = slips(word, Array(other.lowercased()))
            if slips <= most, slips < best?.slips ?? .max { best = (other, slips) }
        }
        return best?.word
    }

    private static func slips(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...other.count)
        for i in 0..<one.count {
            var row = [i + 1]
            for j in 0..<other.count {
                var least = min(last[j] + (one[i] == other[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                let isSwapped = i > 0 && j > 0 && one[i] == other[j - 1] && one[i - 1] == other[j]
                if isSwapped { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[other.count]
    }
}
