import Bytes
import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Typography

@Test func `a block gives back the rows that it was sealed with`() {
    forEachSeed(200) { random in
        let (rows, targets) = try random.blockRows()
        return try RowBlock(sealing: rows, for: targets).rows() == rows
    }
}

@Test func `a block that was cut anywhere, has a byte too many or a flipped bit does not open`() {
    forEachSeed(40) { random in
        let (rows, targets) = try random.blockRows()
        let bytes = try RowBlock(sealing: rows, for: targets).bytes
        var flipped = bytes
        flipped[.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        return (try? RowBlock(flipped)) == nil && (try? RowBlock(bytes + [0])) == nil
            && bytes.indices.allSatisfy { (try? RowBlock(Array(bytes[..<$0]))) == nil }
    }
}

/// The bytes of a block under the checksum that belongs to them.
private func resealed(_ bytes: [UInt8]) -> [UInt8] {
    let content = Array(bytes.dropFirst(9))
    let checksum = BlockChecksum(of: content).value
    let word = (0..<8).map { place in UInt8(truncatingIfNeeded: checksum >> UInt64(8 * place)) }
    return Array(bytes.prefix(1)) + word + content
}

@Test func `a block that was forged reads as something or is refused, and never traps`() {
    forEachSeed(600) { random in
        let (rows, targets) = try random.blockRows()
        var bytes = try RowBlock(sealing: rows, for: targets).bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes[.random(in: 9..<bytes.count, using: &random)] = random.number()
        }
        if Int.random(in: 0...3, using: &random) == 0 { bytes.removeLast(.random(in: 0...9, using: &random)) }
        // The checksum is made right again, as a forger would do.
        bytes = resealed(bytes)
        _ = try? RowBlock(bytes).rows()
        return true
    }
}

@Test func `a block that cannot be read leaves the next one as it is`() {
    forEachSeed(4) { random in
        let (rows, targets) = try random.blockRows()
        let block = try RowBlock(sealing: rows, for: targets)
        let (others, otherTargets) = try random.blockRows()
        let bytes = try RowBlock(sealing: others, for: otherTargets).bytes
        var expected = BlockRows()
        try expected.read(block, target: 0)
        // Senders and looks are at the beginning of a block.
        for place in 9..<min(200, bytes.count) {
            var forged = bytes
            forged[place] = 0xFF
            guard let other = try? RowBlock(resealed(forged)) else { continue }
            var columns = BlockRows()
            try columns.read(block, target: 0)
            if (try? columns.read(other, target: 0)) != nil { continue }
            try columns.read(block, target: 0)
            guard columns.senders == expected.senders, columns.looks == expected.looks else { return false }
        }
        return true
    }
}

@Test func `rows that are not in order, or have not a height for each target, are no block`() throws {
    var random = SplitMix64(seed: 3)
    let (rows, targets) = try random.blockRows()
    #expect(throws: ByteError.self) { try RowBlock(sealing: rows.reversed() + rows, for: targets) }
    #expect(throws: ByteError.empty("block")) { try RowBlock(sealing: [], for: targets) }
    #expect(throws: ByteError.self) { try RowBlock(sealing: rows, for: targets + targets) }
}

@Test(arguments: [(Naming.rising, 2.2), (.withWords, 3.2), (.random, 18.2)])
func `ids take the bytes that are new in them`(naming: Naming, most: Double) throws {
    let rows = try (0..<256).map { i in
        SealedRow(
            number: MessageNumber(Int64(i)), message: try MessageID(naming.id(i)), order: Int64(i),
            sender: try SenderID("ada"),
            time: Timestamp(milliseconds: Int64(i)), look: RowLook(template: "message"),
            heights: [ContentHeights(all: 40)])
    }
    let block = try RowBlock(sealing: rows, for: [Target(width: .points(390), scale: .two)])
    let bytes = block.partSizes.first { $0.key == "ids" }?.value ?? 0
    #expect(Double(bytes) / 256 <= most)
    #expect(try block.rows() == rows)
}

/// The ways in which a backend names its messages.
enum Naming {
    case rising, withWords, random

    func id(_ i: Int) -> String {
        switch self {
        case .rising: "m\(1_000_000 + i)"
        case .withWords: "room-7/2026-\(50_000 + 3 * i)"
        case .random: [8, 4, 4, 4, 12].enumerated().map { hex($1, seed: 5 * i + $0) }.joined(separator: "-")
        }
    }

    private func hex(_ digits: Int, seed: Int) -> String {
        var random = SplitMix64(seed: UInt64(seed))
        return String((0..<digits).map { _ in "0123456789abcdef".randomElement(using: &random)! })
    }
}

extension SplitMix64 {
    /// Random rows of anything that a block can hold, and their targets.
    mutating func blockRows() throws -> ([SealedRow], [Target]) {
        let targets = (0..<Int.random(in: 1...5, using: &self)).map { i in
            Target(width: .points(Int32(400 - 10 * i)), scale: [.one, .two][i % 2])
        }
        var order: Int64 = Bool.random(using: &self) ? number() >> 3 : 0
        let isWild = Bool.random(using: &self)
        let rows = try (0..<Int.random(in: 1...90, using: &self)).map { i in
            order += isWild ? Int64(UInt32.random(in: 0...9_999_999, using: &self)) : 1
            let own = Int32.random(in: 1...6, using: &self) * 20
            return SealedRow(
                number: MessageNumber(isWild ? number() : Int64(i)),
                message: try MessageID(isWild ? "é\(i)-\(next())" : "m\(1000 + i)"), order: order,
                sender: try SenderID("s\(Int.random(in: 0...6, using: &self))"),
                time: Timestamp(milliseconds: isWild ? number() : order &* 1000),
                look: RowLook(
                    template: ["message", "line"].randomElement(using: &self)!, joinsSeries: .random(using: &self),
                    hasFailed: .random(using: &self)),
                heights: targets.map { _ in
                    let more = Int32.random(in: 0...3, using: &self) * 20
                    return ContentHeights(
                        own: own + more, other: own + more, otherWithName: own + more + (isWild ? number() & 63 : 18))
                })
        }
        return (rows, targets)
    }
}
