import Console
import Shaping

/// An option of a benchmark, with its help.
struct BenchOption: Sendable {
    let name: String
    let usage: String

    init(_ name: String, _ value: String, _ meaning: String) {
        let words = "  --\(name) \(value)"
        self.init(name, usage: words + String(repeating: " ", count: max(1, 23 - words.count)) + meaning)
    }

    private init(_ name: String, usage: String) { (self.name, self.usage) = (name, usage) }

    static let style = BenchOption(StyleOption.name, usage: StyleOption.usage)
    static let fonts = BenchOption(FontOption.name, usage: FontOption.usage)
    static let rounds = BenchOption("rounds", "N", "of which medians are taken (default: 5)")
    static let mixed = BenchOption(
        "mixed", "FILE", "texts in many scripts, one JSON object with \"text\" a line (default: the oracle's cases)")

    static func messages(_ standard: Int) -> BenchOption {
        BenchOption("messages", "N", "to a run (default: \(standard))")
    }
    static func rows(_ standard: Int) -> BenchOption {
        BenchOption("rows", "N", "of each conversation (default: \(standard))")
    }
    static func conversations(_ standard: Int) -> BenchOption {
        BenchOption("conversations", "N", "how many there are (default: \(standard))")
    }
    static func seconds(_ standard: Int) -> BenchOption {
        BenchOption("seconds", "N", "of each run (default: \(standard))")
    }
}

extension Arguments {
    func rounds() throws -> Int { try integer("rounds", in: 1...100, default: 5) }

    func fonts() throws -> FontList { try FontOption.loader(self)() }

    func mixed() throws -> BenchTexts { try BenchTexts.mixed(from: text("mixed") ?? BenchTexts.usualMixedFile()) }

    /// The options of style and fonts, as `forme serve` takes them.
    var looks: [String] { words([StyleOption.name, FontOption.name]) }
}
