import JSON
import MessageLayout
package import Wire

/// Rows that every worker lays out when it starts, the same ones everywhere: if they come to different bytes on two
/// hosts, the hosts are not equal, even if their versions are.
///
/// They are short texts of many scripts, of every kind that takes a text and nothing else. Each has a few of the
/// phrases below, so that lines break everywhere, dictionaries are asked, directions meet and letters are joined.
struct ProbeRows {
    static let count = 500

    private static let phrases = [
        "See you at nine, then!", "Ça va très bien, merci : «à demain»",
        "Größenmaßstäbe übersetzen", "AVATAR Ta. Ty, fi ffl", "İstanbul'da çay içtik",
        "dễ thương quá, cảm ơn nhiều", "Поезд отходит в семь", "Είναι πολύ αργά απόψε",
        "հանդիպենք վաղը", "მატარებელი მოდის", "مرحبا، كيف حالك اليوم؟",
        "نامه را فردا می‌فرستم", "שלום, נתראה מחר (בערב)", "क्षत्रिय कार्यक्रम में मिलते हैं",
        "আগামীকাল দেখা হবে", "ਕੱਲ੍ਹ ਮਿਲਾਂਗੇ", "நாளை சந்திப்போம்", "రేపు కలుద్దాం",
        "ನಾಳೆ ಸಿಗೋಣ", "നാളെ കാണാം", "හෙට හමුවෙමු", "พรุ่งนี้เจอกันที่สถานีรถไฟ",
        "မနက်ဖြန် တွေ့ကြမယ်", "ជួបគ្នានៅថ្ងៃស្អែក", "明天在车站见面吧。", "駅で会いましょう、「またね」",
        "내일 역에서 만나요", "👩‍👩‍👧‍👦 🇩🇪 👍🏽 1️⃣", "https://example.com/a-long/path?with=words",
        "e\u{301}\u{323} o\u{308}\u{304} \u{200D}x", "12 345,67 € – 3/4 × 100 %",
        "supercalifragilisticexpialidocious",
    ]

    /// The kinds of a style that take a text and nothing else, by name.
    private static func kinds(of style: StyleSheet) -> [String] {
        style.templates.keys.sorted().filter { kind in
            (try? CheckedMessage(JSONReader(message(kind, "text", name: nil)), of: style)) != nil
        }
    }

    private static func message(_ kind: String, _ text: String, name: String?) -> JSONValue {
        var json = JSONWriter()
        json.object {
            $0.key("kind")
            $0.string(kind)
            $0.key("text")
            $0.string(text)
            if let name {
                $0.key("name")
                $0.string(name)
            }
        }
        return (try? JSONValue.parse(json.bytes)) ?? .null
    }

    private static func text(_ number: Int) -> String {
        // Two to four phrases, in an order that no two neighbours share.
        let first = number * 7 + number / phrases.count
        let parts = (0..<(2 + number % 3)).map { phrases[(first + $0 * 11) % phrases.count] }
        return parts.joined(separator: number % 5 == 0 ? "\n" : " ")
    }

    /// The hash of all results but the keys, as these contain the number of the rules.
    static func digest(_ layouter: inout RowLayouter) -> Digest {
        let style = layouter.edition.style
        let kinds = kinds(of: style)
        var sum: [UInt8] = []
        sum.reserveCapacity(count * 32)
        for number in 0..<count where !kinds.isEmpty {
            let value = message(
                kinds[number % kinds.count], text(number), name: number % 4 == 0 ? phrases[number % phrases.count] : nil
            )
            do {
                let row = try layouter.row(of: CheckedMessage(JSONReader(value), of: style))
                sum += Digest(of: row.layout).bytes + Digest(of: row.measured).bytes
            } catch {
                // A kind that has no name, or a message that is refused: that is alike everywhere, too.
                sum.append(0)
            }
        }
        return Digest(of: sum)
    }
}

extension RowLayouter {
    /// The facts that rows of this process depend on beside edition and messages. Lays the probe rows out, which
    /// takes some tens of milliseconds.
    package mutating func engineFacts() -> EngineFacts {
        EngineFacts(EngineFacts.ofLibraries.facts + [.init("probe rows", ProbeRows.digest(&self).description)])
    }
}
