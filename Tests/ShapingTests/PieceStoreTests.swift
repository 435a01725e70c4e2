import TestSupport
import Testing
import Typography

@testable import Shaping

private var setting: ShapingBuffer.Setting { .init(face: 0, script: ScriptRuns.arabic, isRightToLeft: true) }

/// The hash of a word in a store without a seed.
private func bareHash(_ first: UInt16, _ second: UInt16) -> UInt64 {
    let factor: UInt64 = 0xff51_afd7_ed55_8ccd
    let hash = (setting.packed &+ 0x9e37_79b9_7f4a_7c15 ^ UInt64(first)) &* factor
    let both = (hash ^ UInt64(second)) &* factor
    return both ^ both >> 32
}

/// The time in which words are found that a store knows.
private func timeToFind(_ words: [[UInt16]]) -> Duration {
    var store = PieceStore()
    var piece = Piece()
    piece.begin(count: 2)
    for word in words { store.insert(piece, word, 0..<2, setting) }
    return processorTime {
        for _ in 0..<20 {
            for word in words { precondition(store.find(word, 0..<2, setting) != nil) }
        }
    }
}

@Test func `words that are chosen for one place of the table are found as soon as others`() {
    let count = 1500
    var (chosen, others) = ([[UInt16]](), [[UInt16]]())
    search: for first in 0x600...UInt16.max {
        for second in 0x600..<0x700 as Range<UInt16> {
            if others.count < count { others.append([first, second]) }
            // A store of so many words has 4096 places.
            if bareHash(first, second) & 4095 == 0 { chosen.append([first, second]) }
            if chosen.count == count { break search }
        }
    }
    #expect(chosen.count == count)
    let isAlike = (0..<3).contains { _ in timeToFind(chosen) < timeToFind(others) * 5 + .milliseconds(2) }
    #expect(isAlike)
}
