/// Words as a tree of letters, four bytes to a letter. One walk finds all words of a dictionary at a place of a text.
///
/// Nodes stand in the order of the words. A node's first child stands next to it; the number leads to its next sibling.
struct WordTrie: Equatable, Sendable {
    private var nodes: [UInt32] = []
    /// The nodes of the letters of the word added last.
    private var path: [Int] = []
    private var last: [UInt8] = []

    private static let isWord: UInt32 = 0x100
    private static let hasChild: UInt32 = 0x200
    /// The lowest bit of the distance to the next sibling, which is 0 for none.
    private static let siblingShift: UInt32 = 10

    /// Adds a word. Words must come in order, without repetition.
    mutating func append(_ word: [UInt8]) {
        var shared = zip(word, last).prefix { $0 == $1 }.count
        if shared < path.count { nodes[path[shared]] |= UInt32(nodes.count - path[shared]) << WordTrie.siblingShift }
        path.removeSubrange(shared...)
        while shared < word.count {
            if let parent = path.last { nodes[parent] |= WordTrie.hasChild }
            path.append(nodes.count)
            nodes.append(UInt32(word[shared]))
            shared += 1
        }
        if let end = path.last { nodes[end] |= WordTrie.isWord }
        last = word
    }

    var byteCount: Int { nodes.count * MemoryLayout<UInt32>.stride }

    /// The lengths of all words with which the letters begin, and the number of letters that begin some word.
    func matches(_ letters: some Sequence<UInt8>) -> WordMatches {
        var found = WordMatches()
        var place = nodes.isEmpty ? nil : 0
        for letter in letters {
            while let node = place, nodes[node] & 0xff != letter { place = sibling(of: node) }
            guard let node = place else { break }
            found.prefix += 1
            if nodes[node] & WordTrie.isWord != 0 { found.lengths |= 1 << UInt64(found.prefix) }
            place = nodes[node] & WordTrie.hasChild != 0 ? node + 1 : nil
        }
        return found
    }

    private func sibling(of node: Int) -> Int? {
        let distance = Int(nodes[node] >> WordTrie.siblingShift)
        return distance == 0 ? nil : node + distance
    }
}

struct WordMatches {
    /// Bit n: n letters are a word.
    var lengths: UInt64 = 0
    var prefix = 0

    var isEmpty: Bool { lengths == 0 }
    var longest: Int { 63 - lengths.leadingZeroBitCount }
    /// The lengths from the longest to the shortest.
    var descending: some Sequence<Int> {
        sequence(state: lengths) { rest in
            guard rest != 0 else { return nil }
            let length = 63 - rest.leadingZeroBitCount
            rest &= ~(1 << UInt64(length))
            return length
        }
    }
}
