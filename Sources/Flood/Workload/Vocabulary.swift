/// The words of one script, as unevenly common as those of a language (Zipf), ready as UTF-8.
struct Vocabulary: Sendable {
    private let letters: [UInt8]
    private let starts: [UInt32]
    private let lottery: Lottery
    private let digits: [[UInt8]]
    private let vowels: [[UInt8]]

    init(of script: Script, size: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        var known: Set<String> = []
        var letters: [UInt8] = []
        var starts: [UInt32] = [0]
        while starts.count <= size {
            // Common words are short; where short ones run out, longer ones are tried.
            let most = starts.count < 150 ? 1 + known.count / 100 : script.mostSyllables
            let word = script.word(syllables: 1 + random.below(max(1, most)), &random)
            guard known.insert(word).inserted else { continue }
            letters += Array(word.utf8)
            starts.append(UInt32(letters.count))
        }
        (self.letters, self.starts) = (letters, starts)
        lottery = Lottery(zipf: size)
        digits = script.digits.letters.map { Array($0.utf8) }
        vowels = script.digits.vowels.map { Array($0.utf8) }
    }

    func appendWord(to bytes: inout [UInt8], _ random: inout SplitMix) {
        let place = lottery.draw(&random)
        bytes.append(contentsOf: letters[Int(starts[place])..<Int(starts[place + 1])])
    }

    /// Appends a word for a number: its digits, each a syllable of one letter and one vowel, so that no two numbers
    /// give the same word.
    func append(numbered number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        var position = 0
        repeat {
            bytes += digits[Int(rest % 10)]
            bytes += vowels[position % vowels.count]
            rest /= 10
            position += 1
        } while rest > 0
    }
}
