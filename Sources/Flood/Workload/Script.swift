/// The syllables of a script, of which words are made, and texts of words. None of these is a real word; to shapers
/// and line breakers all of them look like words.
package struct Script: Sendable {
    package var name: String
    /// The number of its texts in a hundred.
    package var share: Double
    /// The average length of a text in bytes of UTF-8.
    package var averageLength: Int
    /// The gap between words.
    package var space: String
    package var comma: String
    package var ends: [String]
    package var onsets: [String]
    package var nuclei: [String]
    package var codas: [String]
    package var hasCapitals = false
    package var mostSyllables = 4

    package static let all = [latin, cyrillic, arabic, devanagari, han, kana, thai]

    package static let latin = Script(
        name: "Latin", share: 62, averageLength: 97, space: " ", comma: ",", ends: [".", "!", "?", "..."],
        onsets: [
            "b", "c", "ch", "d", "f", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pr", "qu", "r", "s", "sh", "st",
            "t", "th", "tr", "v", "w", "wh", "y", "",
        ],
        nuclei: ["a", "e", "i", "o", "u", "ea", "ou", "io", "ee", "ai", "é", "ö"],
        codas: ["n", "r", "s", "t", "l", "d", "m", "ng", "ck", "ll", "ve", "x", "ty"], hasCapitals: true)

    package static let cyrillic = Script(
        name: "Cyrillic", share: 10, averageLength: 150, space: " ", comma: ",", ends: [".", "!", "?"],
        onsets: "б в г д ж з к л м н п р с т х ч ш ст пр тр".words,
        nuclei: "а е и о у ы я ю ё".words, codas: "н р с т л м й в к ль ть".words, hasCapitals: true)

    package static let arabic = Script(
        name: "Arabic", share: 8, averageLength: 120, space: " ", comma: "،", ends: [".", "!", "؟"],
        onsets: "ب ت ج ح د ر س ش ص ط ع ف ق ك ل م ن ه ال".words, nuclei: "ا و ي ة".words + [""],
        codas: "ن ر م ل ت".words)

    package static let devanagari = Script(
        name: "Devanagari", share: 6, averageLength: 170, space: " ", comma: ",", ends: ["।", "!", "?"],
        onsets: "क ख ग च ज ट ड त द न प ब भ म य र ल व श स ह क्ष प्र त्र".words,
        nuclei: "ा ि ी ु ू े ै ो ौ".words + ["", ""], codas: "न र म ल ं".words, mostSyllables: 3)

    package static let han = Script(
        name: "Han", share: 6, averageLength: 80, space: "", comma: "，", ends: ["。", "！", "？"],
        onsets: (frequentHan + "家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文").map { String($0) }, nuclei: [""],
        codas: "点分间里边样候".map { String($0) }, mostSyllables: 2)

    private static let frequentHan = "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过"

    package static let kana = Script(
        name: "Kana", share: 4, averageLength: 80, space: "", comma: "、", ends: ["。", "！", "？"],
        onsets: "日本人大年会国中見上分後前今行生時何学間手自者山田気話書電車駅店".map { String($0) },
        nuclei: "か き く け こ さ し す た ち て と な に の は ま み も や ら り る を ん".words,
        codas: "です ます ました から まで カー ット".words, mostSyllables: 2)

    package static let thai = Script(
        name: "Thai", share: 4, averageLength: 150, space: "", comma: " ", ends: [" ", " ", " ๆ "],
        onsets: "ก ข ค จ ช ด ต ท น บ ป พ ม ย ร ล ว ส ห เก เม แม แล ไป ไม โต".words, nuclei: "า ี ู ิ อ".words,
        codas: "น ง ม ก ด บ ย".words, mostSyllables: 3)

    package static let emoji = "👍 😂 ❤️ 🎉 🔥 🙏 😍 👀 🚀 😅 👏 😭 🥳 👍🏽 👨‍👩‍👧‍👦 🇪🇺 ☕️ 🌧️ 🍕 ✨".words
    package static let names =
        "Ada Ben Grace Li Mira Noor Olu Pia Quentin Rosa Sami Tove Uma Vera Wanda Yuki Анна Борис ليلى דנה".words

    /// A word, which may be there already.
    func word(syllables: Int, _ random: inout SplitMix) -> String {
        var word = ""
        for _ in 0..<syllables {
            word += onsets[random.below(onsets.count)] + nuclei[random.below(nuclei.count)]
            if random.below(3) == 0 { word += codas[random.below(codas.count)] }
        }
        return word
    }

    /// Ten syllables of one letter each, to write numbers with; in a word they end in each of some vowels in turn.
    var digits: (letters: [String], vowels: [String]) {
        let letters = onsets.filter { $0.unicodeScalars.count == 1 }.prefix(10)
        let vowels = nuclei.filter { $0.unicodeScalars.count <= 1 && $0.isEmpty == nuclei[0].isEmpty }
        return (Array(letters), vowels)
    }
}

extension String {
    /// The words between spaces. They are split by scalars: a space and the mark behind it are one character.
    fileprivate var words: [String] { unicodeScalars.split(separator: " ").map { String($0) } }
}
