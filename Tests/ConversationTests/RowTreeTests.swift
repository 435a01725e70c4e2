import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Wire

@testable import Conversation

@Test func `a tree of blocks has the heights that a decorator gives`() {
    forEachSeed(60) { random in
        var rows = try random.sealedRows(Int.random(in: 1...400, using: &random))
        // In some lists, most rows look alike.
        let alike = Bool.random(using: &random) ? 9 : 1
        for i in rows.indices where i % alike > 0 { rows[i].look = rows[0].look }
        let tree = try RowTree(
            rows, viewer: random.viewer(), own: random.own(), column: .random(in: 0...2, using: &random),
            sealed: .random(in: 1...70, using: &random))
        let decorations = tree.decorations()
        let spans = tree.spans(0..<tree.count)
        return spans.map(\.row.height) == decorations.map(\.height)
            && spans.map(\.row.message) == rows.map(\.message)
            && spans.map(\.dress.variant) == decorations.map(\.variant)
            && spans.map(\.dress.series) == decorations.map(\.series)
            && spans.map(\.dress.day) == decorations.map { $0.dateLine?.day }
            && spans.map(\.dress.hasUnreadLine) == decorations.map { $0.unreadLine != nil }
            && tree.height == decorations.reduce(0) { $0 + Int64($1.height) }
    }
}

@Test func `a row is found by its place, its position, its number and its time`() {
    forEachSeed(60) { random in
        let rows = try random.sealedRows(Int.random(in: 1...400, using: &random))
        let tree = try RowTree(rows, sealed: Bool.random(using: &random) ? 32 : nil)
        let spans = tree.spans(0..<tree.count)
        return spans.enumerated().allSatisfy { rank, span in
            span.rank == rank && tree.y(ofRank: rank) == span.top
                && tree.rank(atY: span.top) == rank && tree.rank(atY: span.bottom - 1) == rank
                && tree.rank(of: span.row.position) == rank && tree.rank(of: span.row.number) == rank
                && tree.rank(ofTime: Timestamp(milliseconds: span.row.brief.milliseconds)) <= rank
        } && tree.rank(atY: tree.top - 9) == 0 && tree.rank(atY: tree.bottom + 9) == tree.count - 1
    }
}

@Test func `a tree stays what it would be if it were made anew, whatever happens to its rows`() {
    forEachSeed(30) { random in
        var rows = try random.sealedRows(Int.random(in: 0...300, using: &random))
        let (viewer, own) = (random.viewer(), try random.own())
        var tree = try RowTree(rows, viewer: viewer, own: own, sealed: 24)
        for step in 0..<100 {
            let before = tree.height
            let steps = try tree.change(&rows, Int64(step), using: &random)
            guard before + steps.reduce(0, { $0 + $1.heightDelta }) == tree.height else { return false }
        }
        let fresh = try RowTree(rows, viewer: viewer, own: own)
        let (old, new) = (tree.spans(0..<tree.count), fresh.spans(0..<fresh.count))
        return tree.count == rows.count && tree.height == fresh.height
            && old.map(\.row.height) == new.map(\.row.height) && old.map(\.row.message) == new.map(\.row.message)
            && old.map(\.dress) == new.map(\.dress)
    }
}

@Test func `a tree counts the memory of its rows, sealed or open, whatever happens to them`() {
    forEachSeed(30) { random in
        var rows = try random.sealedRows(Int.random(in: 0...300, using: &random))
        var tree = try RowTree(rows, sealed: 24)
        let leaves = tree.bytes - tree.root.rowBytes
        for step in 0..<100 {
            _ = try tree.change(&rows, Int64(step), using: &random)
            guard tree.bytes - tree.root.rowBytes == leaves else { return false }
        }
        return leaves >= 0
    }
}

extension TreeNode {
    /// The bytes of its rows, counted anew.
    fileprivate var rowBytes: Int {
        sealed?.block.size ?? rows.reduce(children.reduce(0) { $0 + $1.rowBytes }) { $0 + $1.bytes }
    }
}

@Test func `what happens to a row gives a height to it and its two neighbours, however long the conversation is`()
    throws
{
    var random = SplitMix64(seed: 1)
    for count in [100, 1000, 20_000] {
        var tree = try RowTree(random.sealedRows(count), sealed: 256)
        let next = try random.sealedRows(40, from: 5 * Int64(count), numbers: 5 * Int64(count))
        tree.insert([NewRow(next[0], target: 0)])
        #expect(tree.work <= 2)
        tree.insert(next.dropFirst().map { NewRow($0, target: 0) }, reason: .pagination)
        #expect(tree.work <= 2 + 40)
        let work = tree.work
        tree.remove(at: count / 2)
        tree.replace(at: count / 3, with: NewRow(try random.sealedRow(7, order: -4, time: 0), target: 0))
        #expect(tree.work <= work + 2 + 2 + 3)
    }
}

@Test func `older rows extend upward, and move nothing below them`() {
    forEachSeed(60) { random in
        let rows = try random.sealedRows(60)
        let older = Int.random(in: 1...30, using: &random)
        let (viewer, own) = (random.viewer(), try random.own())
        var tree = try RowTree(Array(rows[older...]), viewer: viewer, own: own, sealed: 16)
        // Rows with the order of the first one stand on its side of the origin.
        guard rows[older - 1].order < rows[older].order else { return true }
        let before = tree.spans(0..<tree.count)
        tree.insert(rows[..<older].map { NewRow($0, target: 0) }, reason: .pagination)
        let after = tree.spans(older..<tree.count)
        return zip(before.dropFirst(), after.dropFirst()).allSatisfy { $0.top == $1.top }
            && before[0].content.upperBound == after[0].content.upperBound
    }
}

extension RowTree {
    /// Makes one random change, and the same change to an array of the rows.
    mutating func change(
        _ rows: inout [SealedRow], _ step: Int64, using random: inout SplitMix64
    ) throws -> [TreeStep] {
        let orders = (rows.first?.order ?? 0) - 5...(rows.last?.order ?? 0) + 5
        let time = 1_774_692_000_000 + Int64.random(in: 0...90_000_000, using: &random)
        var new = try random.sealedRow(
            9_000_000 + step, order: .random(in: orders, using: &random), time: time)
        switch Int.random(in: 0...(rows.isEmpty ? 1 : 4), using: &random) {
        case 0:
            rows.place(new)
            return insert([NewRow(new, target: 0)])
        case 1:
            var page = try random.sealedRows(
                .random(in: 1...40, using: &random), from: new.order, numbers: 1_000_000 + 100 * step)
            page = page.filter { row in !rows.contains { $0.position == row.position } }
                .sorted { $0.position < $1.position }
            for row in page { rows.place(row) }
            return insert(page.map { NewRow($0, target: 0) }, reason: .pagination)
        case 2:
            let rank = Int.random(in: rows.indices, using: &random)
            rows.remove(at: rank)
            return remove(at: rank)
        case 3:
            let rank = Int.random(in: rows.indices, using: &random)
            (new.order, new.message, new.number) = (rows[rank].order, rows[rank].message, rows[rank].number)
            rows[rank] = new
            return replace(at: rank, with: NewRow(new, target: 0))
        default:
            let rank = Int.random(in: rows.indices, using: &random)
            (new.message, new.number) = (rows[rank].message, rows[rank].number)
            rows.remove(at: rank)
            rows.place(new)
            return replace(at: rank, with: NewRow(new, target: 0))
        }
    }
}

extension [SealedRow] {
    mutating func place(_ row: SealedRow) { insert(row, at: firstIndex { row.position < $0.position } ?? count) }
}
