/// The words of one script, as unevenly common as those of a language (Zipf), ready as UTF-8.
struct Vocabulary: Sendable {
    private let letters: [UInt8]
    private let starts: [UInt32]
    private let lottery: Lottery

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
    }

    func draw(_ random: inout SplitMix) -> ArraySlice<UInt8> {
        let place = lottery.draw(&random)
        return letters[Int(starts[place])..<Int(starts[place + 1])]
    }
}
