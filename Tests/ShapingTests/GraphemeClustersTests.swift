import TestSupport
import Testing

@testable import Shaping

private typealias Scalar = Swift.Unicode.Scalar

/// Whether the clusters of a text are those that ICU finds.
private func agrees(_ text: String, _ table: CharacterTable) -> Bool {
    let units = Array(text.utf16)
    let characters = units.indices.map { i in
        // The class of a trail surrogate does not matter.
        table[units.scalar(at: i).scalar]
    }
    var own = [UInt16](repeating: 0, count: units.count)
    GraphemeClusters.mark(&own, of: characters, units)
    var known = [UInt16](repeating: 0, count: units.count)
    Unicode.markClusters(of: units, in: &known)
    return own == known
}

@Suite struct GraphemeClustersTests {
    @Test func `finds the clusters that ICU finds in every text of the oracle`() throws {
        let table = CharacterTable()
        for one in try Oracle.publicCases().cases where !agrees(one.text, table) {
            Issue.record("\(one.id) has other clusters")
        }
    }

    @Test func `finds the clusters that ICU finds among characters of every class`() {
        let table = CharacterTable()
        var classes: [ClusterClass: [Scalar]] = [:]
        for scalar in (0..<0x20000).lazy.compactMap(Scalar.init) {
            classes[table[scalar.value].cluster, default: []].append(scalar)
        }
        let all = classes.keys.sorted { $0.rawValue < $1.rawValue }
        #expect(all.count == 18)
        forEachSeed(3_000) { random in
            let scalars = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                classes[all.randomElement(using: &random)!]?.randomElement(using: &random)
            }
            return agrees(String(String.UnicodeScalarView(scalars)), table)
        }
    }

    @Test func `finds the clusters that ICU finds in scripts that link consonants`() {
        let table = CharacterTable()
        forEachSeed(3_000) { random in
            let block = UInt32.random(in: 0x12...0x1f, using: &random) << 7
            let scalars = (0..<Int.random(in: 2...10, using: &random)).compactMap { _ in
                let any = block + UInt32.random(in: 0..<128, using: &random)
                // The virama, a consonant, nukta and vowels come often.
                let likely: [UInt32] = [any, 0x200d, 0x200c] + [0x4d, 0x4d, 0x15, 0x3c, 0x41, 0x3e].map { $0 + block }
                return Scalar(likely.randomElement(using: &random)!)
            }
            return agrees(String(String.UnicodeScalarView(scalars)), table)
        }
    }
}
