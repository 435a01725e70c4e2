import Console
import Flood
import Foundation
import JSON

/// Texts to measure with: one half to warm caches, the other to be timed. No text is in both, or twice in one.
struct BenchTexts {
    let warming: ArraySlice<String>
    let measured: ArraySlice<String>

    var all: [String] { Array(warming) + measured }

    var charactersPerMessage: Double {
        Double(measured.reduce(0) { $0 + $1.count }) / Double(max(1, measured.count))
    }

    private static let usualCount = 40_000

    private init(_ texts: [String]) {
        warming = texts[..<(texts.count / 2)]
        measured = texts[(texts.count / 2)...]
    }

    /// Made up Latin chat.
    static func latin(_ count: Int = Self.usualCount) throws -> BenchTexts {
        var corpus = ChatCorpus(seed: 7)
        let texts = corpus.messages(count)
        guard Set(texts).count == texts.count else { throw Failure(.failed, "two texts of the corpus are equal") }
        let halves = BenchTexts(texts)
        let length = halves.charactersPerMessage
        guard count < usualCount || abs(length - Double(ChatCorpus.averageLength)) <= 1 else {
            throw Failure(.failed, "the corpus has \(length) characters to a text, not \(ChatCorpus.averageLength)")
        }
        return halves
    }

    /// Texts in many scripts, shuffled so that every script is in both halves.
    static func mixed(from path: String) throws -> BenchTexts {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(.inputOutput, "\(path) cannot be read; name a file of texts with --mixed")
        }
        var seen: Set<String> = []
        var texts: [String] = []
        for (number, line) in bytes.split(separator: 0x0a).enumerated() {
            let document = JSONDocument(name: "\(path), line \(number + 1)", bytes: Array(line), dialect: .json)
            let text = try document.read { (root) throws(JSONError) in try root.object().required("text").string() }
            if !text.isEmpty && seen.insert(text).inserted { texts.append(text) }
        }
        guard texts.count >= 2 else { throw Failure(.failed, "\(path) has fewer than two texts") }
        var random = SplitMix(state: 11)
        for i in texts.indices.reversed() { texts.swapAt(i, random.below(i + 1)) }
        return BenchTexts(texts)
    }

    /// The place of texts in many scripts when no file is named.
    static func usualMixedFile() throws -> String {
        let places = ["../shared/oracle/public-cases.jsonl", "Tests/Oracle/cases.jsonl"]
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw Failure(
                .inputOutput, "there is no \(places.joined(separator: " and no ")) here; name a file with --mixed")
        }
        return found
    }

    /// A text as an event brings it.
    static func message(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            for (key, value) in [("kind", "text"), ("text", text), ("name", "Ada Lovelace"), ("status", "sent")] {
                $0.key(key)
                $0.string(value)
            }
        }
        return json.bytes
    }
}
