import Testing

@testable import Shaping

@Suite struct WordTrieTests {
    private static let trie: WordTrie = {
        var trie = WordTrie()
        for word in ["a", "ab", "abcd", "abd", "b", "bcd"] { trie.append(Array(word.utf8)) }
        return trie
    }()

    @Test(arguments: [
        ("abcdx", [4, 2, 1], 4), ("abd", [3, 2, 1], 3), ("abx", [2, 1], 2), ("bc", [1], 2), ("bcd", [3, 1], 3),
        ("c", [], 0), ("", [], 0),
    ])
    func `finds all words at the start of the letters, and how far any reaches`(
        letters: String, lengths: [Int], prefix: Int
    ) {
        let matches = WordTrieTests.trie.matches(letters.utf8)
        #expect(Array(matches.descending) == lengths)
        #expect(matches.prefix == prefix)
    }

    @Test func `an empty trie has no words`() {
        #expect(WordTrie().matches("a".utf8).isEmpty)
    }

    @Test(.enabled(if: KhmerDictionary.installed != nil))
    func `the words that browsers know in Khmer take less than half a megabyte`() {
        #expect(KhmerDictionary.installed.map { $0.byteCount < 1 << 19 } == true)
    }
}
