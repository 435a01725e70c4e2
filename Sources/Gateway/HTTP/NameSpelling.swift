/// A name as somebody wrote it, to be compared with those that there are.
struct NameSpelling {
    private let letters: [UInt8]

    /// Small and large letters are alike, and the characters that join words are left out.
    init(_ name: String) {
        letters = name.prefix(Self.longest).lowercased().utf8.filter {
            $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-")
        }
    }

    /// Longer names are compared by their beginning: the work grows with the product of both.
    private static let longest = 40

    /// The name that is most like this one; nil where none is like it.
    func nearest(of names: [String]) -> String? {
        let near = names.map { (name: $0, slips: slips(to: NameSpelling($0))) }.min { $0.slips < $1.slips }
        guard let near, near.slips <= max(1, letters.count / 3) else { return nil }
        return near.name
    }

    /// The number of letters that were added, left out, exchanged for another or swapped with their neighbour.
    private func slips(to other: NameSpelling) -> Int {
        var before: [Int] = []
        var row = Array(0...other.letters.count)
        for (i, letter) in letters.enumerated() {
            var next = [i + 1]
            for (j, wanted) in other.letters.enumerated() {
                var best = min(row[j] + (letter == wanted ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, letter == other.letters[j - 1], letters[i - 1] == wanted {
                    best = min(best, before[j - 1] + 1)
                }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[other.letters.count]
    }
}
