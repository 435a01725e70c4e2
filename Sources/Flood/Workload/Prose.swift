/// Texts as people write them, word by word: 3 % of the words were never seen before, and no two texts are equal.
///
/// The appended bytes are JSON already: no letter of any script needs an escape.
package struct Prose: Sendable {
    private let scripts: [Script]
    private let vocabularies: [Vocabulary]
    private let draw: Lottery
    private var random: SplitMix
    private var newWords: UInt64 = 0
    /// The number of words drawn, for the share of new ones among them.
    package private(set) var wordCount = 0
    package var newWordCount: Int { Int(newWords) }

    /// A text of fewer words than this gets a new one in any case: no two longer ones were ever drawn alike.
    private static let wordsThatTell = 10
    /// New words in a hundred words of longer texts; with those of short texts it makes three.
    private static let newPercent = 2.1

    package init(scripts: [Script] = Script.all, vocabulary: Int = 30_000, seed: UInt64) {
        self.scripts = scripts
        vocabularies = scripts.enumerated().map { place, script in
            let size = max(100, Int(Double(vocabulary) * (place == 0 ? 1 : 0.3)))
            return Vocabulary(of: script, size: size, seed: seed &+ UInt64(place))
        }
        draw = Lottery(weights: scripts.map(\.share))
        random = SplitMix(state: ~seed)
    }

    /// Appends one text, of a script that is drawn.
    package mutating func appendText(to bytes: inout [UInt8]) {
        let script = draw.draw(&random)
        let average = scripts[script].averageLength
        append(script, length: average / 2 + random.below(average), to: &bytes)
        if random.happens(8) { appendEmoji(to: &bytes, after: " ") }
    }

    /// Appends a few words, such as a title; always with a new one.
    package mutating func appendPhrase(to bytes: inout [UInt8]) {
        append(draw.draw(&random), length: 24, to: &bytes)
    }

    package mutating func appendEmoji(to bytes: inout [UInt8], after space: String = "") {
        bytes.append(contentsOf: space.utf8)
        for _ in 0...random.below(3) { bytes.append(contentsOf: Script.emoji[random.below(Script.emoji.count)].utf8) }
    }

    package mutating func appendName(to bytes: inout [UInt8], of sender: Int) {
        bytes.append(contentsOf: Script.names[sender % Script.names.count].utf8)
    }

    private mutating func append(_ place: Int, length: Int, to bytes: inout [UInt8]) {
        let script = scripts[place]
        let vocabulary = vocabularies[place]
        let end = bytes.count + length
        var startsSentence = true
        var (words, new) = (0, 0)
        while bytes.count < end {
            if words > 0 { bytes.append(contentsOf: script.space.utf8) }
            let start = bytes.count
            if random.happens(Self.newPercent) {
                appendNewWord(of: place, to: &bytes)
                new += 1
            } else {
                vocabulary.appendWord(to: &bytes, &random)
            }
            words += 1
            if startsSentence, script.hasCapitals { Self.capitalise(&bytes, at: start) }
            startsSentence = random.below(9) == 0
            if startsSentence {
                bytes.append(contentsOf: script.ends[random.below(script.ends.count)].utf8)
            } else if random.below(12) == 0 {
                bytes.append(contentsOf: script.comma.utf8)
            }
        }
        if new == 0, words < Self.wordsThatTell {
            bytes.append(contentsOf: script.space.utf8)
            appendNewWord(of: place, to: &bytes)
            words += 1
        }
        wordCount += words
    }

    private mutating func appendNewWord(of place: Int, to bytes: inout [UInt8]) {
        vocabularies[place].append(numbered: newWords, to: &bytes)
        newWords += 1
    }

    /// Makes a letter a capital, where it has two bytes or fewer and is of a script with capitals.
    private static func capitalise(_ bytes: inout [UInt8], at place: Int) {
        guard place < bytes.count else { return }
        switch bytes[place] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes[place] -= 32
        case 0xD0 where 0xB0...0xBF ~= bytes[place + 1]: bytes[place + 1] -= 32
        case 0xD1 where 0x80...0x8F ~= bytes[place + 1]:
            bytes[place] = 0xD0
            bytes[place + 1] += 32
        default: break
        }
    }
}
