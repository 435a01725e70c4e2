import TestSupport
import Testing

@testable import Conversation

@Test func `a text of up to twenty screens comes in one piece`() {
    let bottoms = (1...400).map { Int32(20 * $0) }
    #expect(ScreenChunks(bottoms: bottoms, first: 0..<400, screen: 400).chunks == [0..<400])
    #expect(ScreenChunks(bottoms: [], first: 0..<400, screen: 400).chunks == [0..<0])
}

@Test func `a longer text comes in pieces, first of them what is seen first`() {
    forEachSeed(300) { random in
        let count = Int.random(in: 401...3_000, using: &random)
        let bottoms = (1...count).map { Int32(20 * $0) }
        let y = Int32.random(in: 0..<Int32(20 * count), using: &random)
        let chunks = ScreenChunks(bottoms: bottoms, first: y..<y + 400, screen: 400).chunks
        guard let first = chunks.first, first.contains(Int(y) / 20), first.count <= 22 else { return false }
        return chunks.dropFirst().allSatisfy { $0.count <= 201 }
            && chunks.flatMap { Array($0) }.sorted() == Array(0..<count)
    }
}
