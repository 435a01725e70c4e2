import Bytes
import MessageLayout
import Record
import TestSupport
import Testing

@Test func `what is put together of excerpts is the row, byte for byte`() {
    var encoder = RecordEncoder()
    var page = LayoutRows()
    var excerpts = 0
    forEachSeed(2_000) { random in
        var samples = SheetSamples(random: random, draws: true)
        let row = try encoder.row(of: samples.sheet())
        guard !row.isEmpty, let whole = try? RowLines(row), whole.lineCount > 0 else { return true }
        let start = samples.below(whole.lineCount)
        var bytes = whole.excerpt(start..<start + 1)
        while let excerpt = RowExcerpt(of: bytes) {
            excerpts += 1
            // The other excerpt goes to the ends of this one, or beyond.
            let lines = excerpt.lines
            let more = max(0, lines.lowerBound - samples.below(3))..<lines.upperBound + samples.below(3)
            let one = try RowLines(bytes)
            let other = try RowLines(whole.excerpt(more))
            bytes = samples.chance() ? try one.united(with: other) : try other.united(with: one)
            guard try RowLines(bytes).lines == more.clamped(to: 0..<whole.lineCount), page.refuses(bytes) == nil else {
                return false
            }
        }
        return bytes == row
    }
    #expect(excerpts > 1_000)
}

@Test func `an excerpt has the geometry of the whole row, and its lines as they are there`() {
    var encoder = RecordEncoder()
    forEachSeed(1_000) { random in
        var samples = SheetSamples(random: random, draws: true)
        let row = try encoder.row(of: samples.sheet())
        guard !row.isEmpty, let whole = try? RowLines(row), whole.lineCount > 1 else { return true }
        let start = samples.below(whole.lineCount - 1)
        let wanted = start..<start + 1 + samples.below(whole.lineCount - 1 - start)
        let excerpt = whole.excerpt(wanted)
        let told = RowExcerpt(of: excerpt)
        guard told?.lines == wanted, told?.lineCount == whole.lineCount, told?.mark == whole.mark else { return false }
        var number = 0
        for state in 0..<(try states(of: row)) {
            let (all, some) = (try model(row, state: state), try model(excerpt, state: state))
            guard all.skeleton == some.skeleton, all.size == some.size, all.stamp == some.stamp,
                all.placements.map(\.frame) == some.placements.map(\.frame)
            else { return false }
            // A state that is as the one before has the same lines.
            if state > 0, try model(row, state: 0) == all { continue }
            for placement in all.placements where placement.block >= 0 {
                let (block, own) = (all.blocks[Int(placement.block)], some.blocks[Int(placement.block)])
                let here = wanted.clamped(to: number..<number + block.lines.count)
                let first = here.lowerBound - number
                number += block.lines.count
                let lines = block.lines.dropFirst(first).prefix(here.count).map { all.lines[Int($0)] }
                guard own.lines.map({ some.lines[Int($0)] }) == lines, Int(own.firstLine) == first else {
                    return false
                }
            }
        }
        return number == whole.lineCount
    }
}

@Test func `excerpts of different rows are not put together`() throws {
    var encoder = RecordEncoder()
    let rows = try ["one ", "two  "].map { word in
        try encoder.row(of: BubbleComposer.sheet(of: .monospaced(String(repeating: word, count: 99))))
    }
    let (one, other) = (try RowLines(rows[0]), try RowLines(rows[1]))
    #expect(one.mark != other.mark && one.lineCount > 1)
    let (first, rest) = (one.excerpt(0..<1), other.excerpt(1..<other.lineCount))
    #expect(throws: ByteError.self) { try RowLines(first).united(with: RowLines(rest)) }
    // The mark of one row on the lines of the other is not believed either.
    let forged = rest[..<1] + first[1..<9] + rest[9...]
    #expect(throws: ByteError.self) { try RowLines(first).united(with: RowLines(Array(forged))) }
}

@Test func `an excerpt that was cut, has a byte too many, or has changed is refused or is some layout`() {
    var encoder = RecordEncoder()
    var page = LayoutRows()
    forEachSeed(150) { random in
        var samples = SheetSamples(random: random, draws: true)
        let row = try encoder.row(of: samples.sheet())
        guard !row.isEmpty, let whole = try? RowLines(row), whole.lineCount > 1 else { return true }
        let excerpt = whole.excerpt(1..<1 + samples.below(whole.lineCount))
        guard RowExcerpt(of: excerpt) != nil else { return true }
        for end in excerpt.indices {
            page.removeAll()
            let cut = Array(excerpt[..<end])
            guard page.refuses(cut) != nil, (try? RowLines(cut)) == nil else { return false }
        }
        for place in excerpt.indices {
            var bytes = excerpt
            bytes[place] ^= .random(in: 1...255, using: &samples.random)
            page.removeAll()
            if page.refuses(bytes) == nil { _ = page.model(row: 0) }
            if let lines = try? RowLines(bytes) { _ = try? lines.united(with: whole) }
        }
        return page.refuses(excerpt + [0]) != nil
    }
}

private func model(_ row: [UInt8], state: Int) throws -> LayoutModel {
    var page = LayoutRows()
    try page.append(row)
    return page.model(row: 0, state: state)
}

private func states(of row: [UInt8]) throws -> Int {
    var page = LayoutRows()
    try page.append(row)
    return page.rows[0].states.count
}
