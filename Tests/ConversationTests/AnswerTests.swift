import Names
import Record
import TestSupport
import Testing
import Wire

@testable import Conversation

@Test func `an answer has all that is stored of its rows, however small the cache is`() {
    forEachSeed(300) { random in
        var cache = ContentCache<Int, Int>(limit: .random(in: 0...400, using: &random))
        return (0..<20).allSatisfy { _ in
            let keys = Array(0..<Int.random(in: 1...60, using: &random)).map {
                $0 + Int.random(in: 0...40, using: &random)
            }
            var contents = AnswerContents(of: keys, in: &cache)
            for place in contents.missing { contents.add(-keys[place], bytes: keys[place] % 30, at: place, to: &cache) }
            if Bool.random(using: &random) { cache.forget(keys[0]) }
            return keys.indices.allSatisfy { contents[$0] == -keys[$0] } && cache.bytes <= max(cache.limit, 0)
        }
    }
}

@Test func `a cache keeps what is asked for again, and lets go what nobody wants`() {
    var cache = ContentCache<Int, Int>(limit: 100)
    for key in 0..<10 { cache.keep(key, bytes: 10, for: key) }
    #expect(cache.content(0) == 0 && cache.bytes == 100)
    for key in 10..<14 { cache.keep(key, bytes: 10, for: key) }
    #expect(cache.content(0) == 0 && cache.content(1) == nil && cache.content(13) == 13 && cache.bytes == 100)
}

@Test func `what a cache is told to forget costs no memory, however often that happens`() {
    var cache = ContentCache<Int, Int>(limit: 100)
    for key in 0..<10_000 {
        cache.keep(key, bytes: 10, for: key)
        cache.forget(key)
    }
    #expect(cache.bytes == 0 && cache.count == 0)
}

@Test(arguments: [
    (AnswerCut.Start.top, 0..<4), (.bottom, 6..<10), (.around(5..<6), 4..<8), (.around(0..<1), 0..<4),
    (.around(99..<100), 6..<10), (.around(9..<10), 6..<10), (.around(4..<9), 4..<8), (.around(5..<8), 5..<9),
])
func `of rows that are too large together those are answered that their reader sees first`(
    start: AnswerCut.Start, rows: Range<Int>
) {
    var cut = AnswerCut(of: 10, from: start, AnswerRoom(100))
    while let row = cut.next { cut.take(row, bytes: 25) }
    #expect(cut.rows == rows)
}

@Test func `an answer is a run of rows, has one at least, and only as many as fit`() {
    forEachSeed(500) { random in
        let sizes = (0..<Int.random(in: 1...80, using: &random)).map { _ in Int.random(in: 0...300, using: &random) }
        let start: AnswerCut.Start =
            [.top, .bottom, .around(.random(in: 0...90, using: &random)..<95)].randomElement(using: &random)!
        var cut = AnswerCut(of: sizes.count, from: start, AnswerRoom(1000))
        while true {
            let batch = cut.next(7)
            if batch.isEmpty { break }
            guard batch.first == cut.next else { return false }
            for row in batch where row == cut.next { cut.take(row, bytes: sizes[row]) }
        }
        let used = sizes[cut.rows].reduce(0, +)
        let isFull = cut.rows.count == sizes.count || used + 300 > 1000
        return !cut.rows.isEmpty && (used <= 1000 || cut.rows.count == 1) && isFull
    }
}

@Test func `a window has the rows of its answer and no others`() throws {
    var random = SplitMix64(seed: 4)
    let tree = try RowTree(random.sealedRows(200))
    let timeline = Timeline(
        tree, edition: try EditionID("0a"), cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    let opened = Window.open(WindowID(1), on: timeline, around: .newest, count: 100, screen: 500)
    var (window, reply) = try #require(opened)
    window.cut(&reply, to: 60..<90, on: timeline)
    #expect(window.range == 160..<190 && reply.rows.count == 30)
    #expect(reply.frame.rowsAbove == 160 && reply.frame.rowsBelow == 10 && reply.frame.top == tree.y(ofRank: 160))
    var mirror = try WindowMirror(reply)
    for side in [WindowSide.older, .newer, .older] {
        var page = window.page(side, count: 50, on: timeline)
        let rows = page.rows.count
        window.cut(&page, to: side == .older ? max(0, rows - 7)..<rows : 0..<min(7, rows), on: timeline)
        try mirror.apply(page)
        #expect(mirror.rows == timeline.rows(window.range) && mirror.frame == window.frame(on: timeline))
        #expect(page.insertedAbove == (side == .older ? page.rows.reduce(0) { $0 + Int64($1.height) } : 0))
    }
    #expect(window.range == 146..<197)
}

@Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
func `any y is a place of the conversation, and any order and time`(number: Int64) throws {
    var random = SplitMix64(seed: 5)
    let old = try random.sealedRows(300, from: 1000)
    var tree = try RowTree(random.sealedRows(300, from: 2000, numbers: 5000), sealed: 200)
    // Older rows: the top is a negative number.
    tree.insert(old.map { NewRow($0, target: 0) })
    #expect(tree.top < 0)
    let row = -1...1 ~= number ? tree.rank(atY: 0) : number < 0 ? 0 : tree.count - 1
    let distance = abs(tree.rank(atY: number) - row)
    #expect(distance <= 1)
    let timeline = Timeline(
        tree, edition: try EditionID("0a"), cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    for range in [number..<number, min(0, number)..<max(0, number), Int64.min..<number, number..<Int64.max] {
        #expect(!timeline.heights(range, of: WindowID(1)).heights.isEmpty)
    }
    for place in [RowPlace.y(number), .date(Timestamp(milliseconds: number))] {
        let opened = try #require(Window.open(WindowID(1), on: timeline, around: place, count: 20, screen: 1000))
        let first = try #require(opened.reply.firstVisible)
        #expect(tree.top...tree.bottom ~= first.y && opened.reply.rows.count == 20)
    }
    _ = tree.read(from: number)
    #expect(0...tree.count ~= tree.rank(ofOrder: number))
    var sealed = old[0]
    (sealed.order, sealed.time, sealed.number) = (number, Timestamp(milliseconds: number), MessageNumber(number))
    sealed.message = try MessageID("extreme")
    tree.insert([NewRow(sealed, target: 0)])
    #expect(tree.rank(of: MessageNumber(number)) != nil)
}
