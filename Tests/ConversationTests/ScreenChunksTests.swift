import Record
import TestSupport
import Testing
import Wire

@testable import Conversation

@Test func `a text of up to twenty screens comes in one piece`() {
    #expect(!ScreenChunks.isLong(20 * 400, on: 400))
    #expect(ScreenChunks.isLong(20 * 400 + 1, on: 400))
    #expect(ScreenChunks.isLong(.max, on: 0))
}

@Test func `of a longer text the lines come first that are seen, and then the others, downward and upward`() {
    forEachSeed(500) { random in
        var texts: [LayoutRows.LineStack] = []
        var (count, top) = (0, Int32.random(in: 0...50, using: &random))
        for _ in 0...Int.random(in: 0...4, using: &random) {
            let lines = Int.random(in: 0...700, using: &random)
            let pitch = Int32.random(in: 15...30, using: &random)
            texts.append(.init(lines: count..<count + lines, top: top, pitch: pitch))
            count += lines
            top += Int32(lines) * pitch + 8
        }
        guard count > 0 else { return ScreenChunks.first(of: texts, seen: 0..<400) == 0..<0 }
        let y = Int32.random(in: -500...top + 500, using: &random)
        var lines = ScreenChunks.first(of: texts, seen: y..<y + 400)
        let seen = texts.flatMap { text in
            text.lines.filter { line in
                let top = text.top + Int32(line - text.lines.lowerBound) * text.pitch
                return top < y + 400 && top + text.pitch > y
            }
        }
        guard lines.count == max(1, seen.count), seen.allSatisfy(lines.contains) else { return false }
        var questions = 0
        while let next = ScreenChunks.next(to: lines, of: count) {
            let isDown = next.lowerBound == lines.upperBound
            guard isDown || next.upperBound == lines.lowerBound && lines.upperBound == count,
                !next.isEmpty, next.count <= 4 * lines.count
            else { return false }
            lines = min(lines.lowerBound, next.lowerBound)..<max(lines.upperBound, next.upperBound)
            questions += 1
        }
        return lines == 0..<count && questions <= 10
    }
}
