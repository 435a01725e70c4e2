import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Typography
import Wire

@testable import Conversation

extension Target {
    static func points(_ width: Int32, scale: Int32 = 2000) -> Target {
        Target(width: .points(width), scale: Scale(thousandths: scale))
    }
}

/// Random rows of a small group that talks with pauses, for three screens.
extension SplitMix64 {
    static let targets: [Target] = [.points(390), .points(320), .points(640, scale: 1000)]

    mutating func sealedRow(_ number: Int64, order: Int64, time: Int64) throws -> SealedRow {
        let looks = [
            RowLook(template: "message"), RowLook(template: "message", hasFailed: true),
            RowLook(template: "line", joinsSeries: false), RowLook(template: "picture"), RowLook(template: "centred"),
            RowLook(template: "unheard of"),
        ]
        let lines = Int32.random(in: 1...4, using: &self)
        return SealedRow(
            number: MessageNumber(number), message: try MessageID("m\(number)"), order: order,
            sender: try SenderID("s\(Int.random(in: 0...3, using: &self))"), time: Timestamp(milliseconds: time),
            look: looks[Int.random(in: 0...9, using: &self) % 6],
            heights: SplitMix64.targets.indices.map { target in
                let own = lines * [44, 44, 20][target] + (Bool.random(using: &self) && target == 1 ? 44 : 0)
                return ContentHeights(own: own, other: own, otherWithName: own + [36, 36, 18][target])
            })
    }

    /// Random rows in order; a few share their orders.
    mutating func sealedRows(_ count: Int, from order: Int64 = 0, numbers: Int64 = 0) throws -> [SealedRow] {
        var (order, time) = (order, 1_774_692_000_000 + order * 1000)
        return try (0..<Int64(count)).map { i in
            order += [1, 1, 1, 3, 0][Int.random(in: 0...4, using: &self)]
            time += Int64.random(in: 0...90_000, using: &self) * (Int.random(in: 0...9, using: &self) == 0 ? 400 : 1)
            return try sealedRow(numbers + 1_000_000 + i, order: order, time: time)
        }
    }

    mutating func viewer() -> Viewer {
        Viewer(
            unreadFrom: Bool.random(using: &self) ? Int64.random(in: -5...60, using: &self) : nil,
            zone: TimeZoneRule(
                initialOffset: 3600, transitions: [.init(fromSeconds: 1_774_746_000, offsetSeconds: 7200)]),
            conversation: Bool.random(using: &self) ? .group : .direct, isSelecting: .random(using: &self))
    }

    mutating func own() throws -> SenderID? { Bool.random(using: &self) ? try SenderID("s0") : nil }
}

extension RowTree {
    /// A tree of these rows for the target `column`: whole blocks of `sealed` rows first, then the rest one by one.
    init(
        _ rows: [SealedRow], viewer: Viewer = Viewer(), own: SenderID? = nil, column: Int = 0, sealed: Int? = nil
    ) throws {
        var blocks: [RowBlock] = []
        let (size, targets) = (sealed ?? 0, SplitMix64.targets)
        var rest = rows[...]
        while size > 0, rest.count >= size {
            blocks.append(try RowBlock(sealing: Array(rest.prefix(size)), for: targets))
            rest = rest.dropFirst(size)
        }
        try self.init(
            opening: blocks, then: rest.map { NewRow($0, target: column) }, style: .manifold, viewer: viewer, own: own,
            target: targets[column])
    }

    /// The decorations that a decorator makes of the same rows from nothing.
    func decorations() -> [Decoration] {
        let rows = spans(0..<count).map(\.row)
        return catalog.ruler.decorator.decorations(
            of: rows.map { row in
                let (look, heights) = (look(of: row), row.brief.heights)
                func size(_ height: Int32) -> PixelSize { PixelSize(width: 100, height: height) }
                return RowFacts(
                    sender: SenderNumber(UInt64(row.brief.sender)), order: row.brief.order,
                    milliseconds: row.brief.milliseconds, template: look.template, joinsSeries: look.joinsSeries,
                    hasFailed: look.hasFailed,
                    sizes: ContentSizes(
                        own: size(heights.own), other: size(heights.other),
                        otherWithName: size(heights.otherWithName)))
            })
    }
}
