import TestSupport
import Testing
import Typography

@testable import Shaping

/// A text with `|` wherever a line may break.
private func marked(_ text: String) throws -> String {
    var analysis = TextAnalysis()
    let table = CharacterTable()
    analysis.units.read(text)
    analysis.begin(.regular)
    analysis.readCharacters(in: analysis.units.indices, table)
    analysis.findOpportunities(try Unicode())
    var units: [UInt16] = []
    for (unit, mark) in zip(analysis.units, analysis.marks) {
        if mark & Unicode.opportunity != 0 { units.append(UInt16(UInt8(ascii: "|"))) }
        units.append(unit)
    }
    return String(decoding: units, as: UTF16.self)
}

private func holds(_ expected: String) throws {
    // By scalars: a mark behind `|` would combine with it.
    let text = String(String.UnicodeScalarView(expected.unicodeScalars.filter { $0 != "|" }))
    #expect(try marked(text) == expected)
}

@Suite struct OpportunitiesTests {
    @Test(arguments: [
        "see |you |at |nine?", "x |)", "a  |b", "say |:-)", "path?|q=1", "a/b/c.html", "well-|known", "x~|(y", "GPT-|2",
        "(-1", "-|-1", "+81-|93-|9202", "-|\"a", "é-1", "中-1",
    ])
    func `between ASCII characters, breaks by a table of its own`(text: String) throws { try holds(text) }

    @Test(arguments: [
        "中|“中”|中", "“あ”|（", "。”|あ", "한|“한”|한", "あ」|“あ", "中|‘中’|中", "a”（b", "あ“a", "あ”a", "中“ |”中", "“中”。|中",
    ])
    func `quotation marks glue only what is not East Asian`(text: String) throws { try holds(text) }

    @Test(arguments: [
        " |–abc", " |‒abc", " |\u{2010}abc", "(–|abc", "ab–|cd", "ab\u{2010}|cd", "中–|abc", "\u{a0}–abc", " |—|abc",
    ])
    func `a hyphen or dash stays with the word that it begins`(text: String) throws { try holds(text) }

    @Test(arguments: ["א-|x", "א–x", "א–|א", "א।|x", "א\u{2003}|x"])
    func `a dash behind a Hebrew letter glues, other separators do not`(text: String) throws { try holds(text) }

    @Test(arguments: ["5.|£", "(5)|°", "9.|°", "£5.50", "5°", "é(a", "«a»", "a |«b»", "ß%", "½–|¾"])
    func `Latin-1 pairs break as if letters stood on both sides`(text: String) throws { try holds(text) }

    @Test(arguments: ["٣.٤", "५.५%", "€٣", "中|٣,٤|中", "$(٣)", "€-٣", "٣/٤"])
    func `numbers stay whole`(text: String) throws { try holds(text) }

    @Test(arguments: ["a\u{3000}|b", "a \u{3000}|b", "a \u{3000}|）", "a \u{3000} \t|b", "中\u{3000}|中", "中\u{3000}）"])
    func `ideographic spaces end the line`(text: String) throws { try holds(text) }

    @Test(arguments: ["日|本|語。", "ま|っ|た", "か|ー", "「あ」|い", "ア、|イ", "…|あ", "〜|あ", "한|국|어", "あ\u{2060}い", "字\u{301}|字"])
    func `ideographs break, but for what may not begin or end a line`(text: String) throws { try holds(text) }

    @Test(arguments: ["🇫🇷|🇫🇷|🇫", "👍🏽|👍", "👩\u{200d}👩|👩", "☺️|☺", "a|👍|a", "❤️|中"])
    func `emoji sequences stay whole`(text: String) throws { try holds(text) }

    @Test(arguments: ["ภาษา|ไทย", "a |ภาษา|ไทย |b", "“ภาษา|ไทย”", "中|ภาษา|ไทย|中", "မြန်မာ|စာ"])
    func `scripts without spaces break between words`(text: String) throws { try holds(text) }

    @Test(
        .enabled(if: KhmerDictionary.installed != nil, "the words are measured for ICU 72's dictionary"),
        arguments: [
            "ធុញ|ទ្រាន់", "ត|ត្រុក", "ភាសាខ្មែរ", "ខ្ញុំ|ស្រឡាញ់|ភាសាខ្មែរ", "តាពស់|ព្រៃ|នៅតែ|ព្យាយាម", "ព្រះរាជាណាចក្រ|កម្ពុជា",
            "សេចក្ដី|សង្ស័យ|ឆាប់", "ការ|ធ្វើ|ដំណើរ|ទៅ|ក្រុង|ភ្នំពេញ", "ភាសា។|ខ្មែរ", "ភាសាabcខ្មែរ", "ខ្មែរ១២៣ភាសា", "“ភាសាខ្មែរ”",
            "ភាសា |ខ្មែរ\u{200b}|ភាសា", "ភាសាខ្មែរภาษา|ไทย", "កខគឃង", "បា",
        ])
    func `Khmer breaks between the words that browsers know`(text: String) throws { try holds(text) }

    @Test func `another Khmer dictionary than the measured one is left to ICU`() {
        #expect(KhmerDictionary.words(of: []) == nil)
        #expect(KhmerDictionary.words(of: [UInt8](repeating: 7, count: 445_398)) == nil)
    }

    @Test func `spaces without an end take time in proportion to their number`() {
        func time(_ count: Int) -> Duration {
            let text = (0..<count).map { $0 % 2 == 0 ? space : ideographicSpace }
            return (0..<2).map { _ in
                var marks = text.map { $0 == space ? 0 : Unicode.opportunity }
                return processorTime { BrowserBreaks.moveBehindIdeographicSpaces(&marks, of: text) }
            }.min()!
        }
        // 64 times as long when quadratic.
        let isLinear = (0..<3).contains { _ in time(32_000) < time(4000) * 24 + .milliseconds(4) }
        #expect(isLinear)
    }

    @Test func `nothing breaks at the start of the text or of a paragraph`() throws { try holds("中\n中\n\n–a") }

    @Test func `lone marks and joiners are ordinary letters`() throws { try holds("\u{301}|字 |\u{200d}字") }
}
