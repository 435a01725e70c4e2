import Flood

/// Latin chat text for benchmarks: made word by word, so that no two messages are equal. The words of its vocabulary
/// are as unevenly common as a language's (Zipf), and some words were never seen before.
struct ChatCorpus {
    static let vocabularySize = 30_000
    /// One word in so many is new: a name, a typing mistake.
    static let newWordEvery = 33
    static let averageLength = 97
    private static let overshoot = 4

    private var random: SplitMix
    private let vocabulary: [String]
    /// Sums of 1/rank, to draw ranks from.
    private let sums: [Double]

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        var words: Set<String> = []
        var vocabulary: [String] = []
        var sum = 0.0
        var sums: [Double] = []
        while vocabulary.count < ChatCorpus.vocabularySize {
            // Common words are short.
            let word = ChatCorpus.word(syllables: vocabulary.count < 150 ? 1 : 1 + random.below(4), &random)
            guard words.insert(word).inserted else { continue }
            vocabulary.append(word)
            sum += 1 / Double(vocabulary.count)
            sums.append(sum)
        }
        self.vocabulary = vocabulary
        self.sums = sums
    }

    mutating func messages(_ count: Int) -> [String] { (0..<count).map { _ in message() } }

    private mutating func message() -> String {
        // The last word goes past the length by half a word and the mark behind it.
        let length = ChatCorpus.averageLength / 2 + random.below(ChatCorpus.averageLength) - ChatCorpus.overshoot
        var text = ""
        var startsSentence = true
        while text.utf8.count < length {
            if !text.isEmpty { text += " " }
            var word = nextWord()
            if startsSentence || random.below(20) == 0 {
                word = word.prefix(1).uppercased() + word.dropFirst()
            }
            startsSentence = random.below(9) == 0
            text += word
            if startsSentence {
                text += [".", "!", "?", "..."][random.below(4)]
            } else if random.below(12) == 0 {
                text += ","
            }
        }
        return text
    }

    private mutating func nextWord() -> String {
        switch random.below(100) {
        case 0: return String(random.below(2000))
        case 1: return "@" + vocabulary[random.below(vocabulary.count)]
        case 2 where random.below(4) == 0: return "https://" + vocabulary[random.below(vocabulary.count)] + ".com/"
        default: break
        }
        if random.below(ChatCorpus.newWordEvery) == 0 {
            return ChatCorpus.word(syllables: 2 + random.below(3), &random)
        }
        let drawn = random.fraction() * sums[sums.count - 1]
        var low = 0
        var high = sums.count - 1
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < drawn { low = middle + 1 } else { high = middle }
        }
        return vocabulary[low]
    }

    private static func word(syllables: Int, _ random: inout SplitMix) -> String {
        var word = ""
        for _ in 0..<syllables {
            word += onsets[random.below(onsets.count)] + nuclei[random.below(nuclei.count)]
            if random.below(3) == 0 { word += codas[random.below(codas.count)] }
        }
        return random.below(40) == 0 ? word + "'s" : word
    }

    private static let onsets = [
        "b", "c", "ch", "d", "f", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pr", "qu", "r", "s", "sh", "st",
        "t", "th", "tr", "v", "w", "wh", "y", "",
    ]
    private static let nuclei = ["a", "e", "i", "o", "u", "ea", "ou", "io", "ee", "ai"]
    private static let codas = ["n", "r", "s", "t", "l", "d", "m", "ng", "ck", "ll", "ve", "x", "ty"]
}
