package import Bytes
package import MessageLayout
import Names
import Pool
package import Record
package import Rows
import Wire

/// A maker of the rows that blocks are sealed with, from stored ones. Heights stand in the heads of rows; the records
/// of those that were stored before heads had them are read for their heights, and not decoded.
///
/// It keeps its memory from one row to the next.
package struct RowSealer: ~Copyable {
    private var reader = HeightReader()
    /// The heights in the list at hand.
    private var heights = Buffer<ContentHeights>()
    /// The style, which knows the statuses that mean that a message was not sent.
    private let style: DecorationStyle?
    /// The plans of the lists of heights that rows have had so far.
    private var plans = HeightPlans()

    package init(style: DecorationStyle?) { self.style = style }

    /// The heights that are wanted of rows with the targets of a plan. An object, as one is used for very many rows.
    private final class Wish {
        let plan: HeightPlan
        var wanted: Set<Target>?
        let places: [Int]
        let targets: [Target]

        init(_ wanted: Set<Target>?, of plan: HeightPlan) {
            (self.plan, self.wanted) = (plan, wanted)
            var places = Array(plan.targets.indices)
            if let wanted {
                let known = places.filter { wanted.contains(plan.targets[$0]) }
                // A reader that wants another target finds the heights for it by itself.
                places = known.isEmpty ? Array(places.prefix(1)) : known
            }
            self.places = places
            targets = places.map { plan.targets[$0] }
        }
    }

    /// The wish for the row before, which is mostly that for the next one, too.
    private var last: Wish?
    /// The record that was read last.
    private var record: LayoutRecord?
    /// The plan of its targets.
    private var recordPlan = HeightPlan([])

    /// A row, and the targets that its heights are for.
    package typealias Stated = (row: SealedRow, targets: [Target])

    /// - Parameter wanted: the targets whose heights are found; for a row that is laid out for none
    ///   of them, those of its first target are. Nil for all.
    package mutating func seal(_ row: ReadRow, for wanted: Set<Target>? = nil) throws(ByteError) -> Stated {
        let listed = listedHeights(row.heights, for: wanted)
        let (heights, targets) = if let listed { listed } else { try recordedHeights(of: row, for: wanted) }
        return stated(row.number, row.message, row.facts, row.role, heights, targets)
    }

    /// The fault of a stored row that is not sealed.
    enum Fault: Error {
        /// It is not what was stored.
        case damaged
        /// It is, and cannot be read: it is laid out again some time.
        case unreadable
    }

    /// The row in columns from `first` on: number, job, head and layout, which is read only where its heights are not
    /// listed.
    /// - Parameter checksLayout: whether a layout that is not read is compared with its checksum all the same.
    mutating func seal(
        _ row: Statement.Row, from first: Int32, _ roles: StoredRoles, for wanted: Set<Target>?,
        checksLayout: Bool = false
    ) throws(Fault) -> Stated {
        let (number, job) = row.numbers(from: first)
        let whole: ReadRow
        do throws(ByteError) {
            let head = try RowHead(row.blob(first + 2), number, job)
            if let (heights, targets) = listedHeights(head.heights, for: wanted) {
                guard !checksLayout || row.withBlob(first + 3, { Checksum.of($0) }) == head.layoutSum else {
                    throw .notForme
                }
                return stated(number, head.message, head.facts, try roles.role(head.role), heights, targets)
            }
            whole = try ReadRow(row, from: first, head, roles)
        } catch {
            throw .damaged
        }
        do throws(ByteError) { return try seal(whole, for: wanted) } catch { throw .unreadable }
    }

    private func stated(
        _ number: MessageNumber, _ message: MessageID, _ facts: StoredFacts, _ role: RowRole,
        _ heights: [ContentHeights], _ targets: [Target]
    ) -> Stated {
        let look = RowLook(
            template: role.template, joinsSeries: role.joinsSeries,
            hasFailed: style?.hasFailed(facts.status, in: role.template) ?? false)
        let sealed = SealedRow(
            number: number, message: message, order: facts.order, sender: facts.sender, time: facts.time, look: look,
            heights: heights)
        return (sealed, targets)
    }

    /// The heights in a list; nil where there is none that can be read, or one for targets that no record has told yet.
    private mutating func listedHeights(
        _ list: ArraySlice<UInt8>, for wanted: Set<Target>?
    ) -> ([ContentHeights], [Target])? {
        guard let sum = HeightPlan.sum(of: list), let plan = last?.plan.sum == sum ? last?.plan : plans[sum] else {
            return nil
        }
        do throws(ByteError) { try plan.read(list, into: &heights) } catch { return nil }
        let wish = wish(wanted, of: plan)
        return (wish.places.map { heights[$0] }, wish.targets)
    }

    private mutating func recordedHeights(
        of row: ReadRow, for wanted: Set<Target>?
    ) throws(ByteError) -> ([ContentHeights], [Target]) {
        let record = if let known = row.record { known } else { try LayoutRecord(row.layout, like: self.record) }
        if self.record?.targets != record.targets { recordPlan = plans.learn(record.targets) }
        self.record = record
        let wish = wish(wanted, of: recordPlan)
        return (try reader.heights(of: record, at: wish.places), wish.targets)
    }

    private mutating func wish(_ wanted: Set<Target>?, of plan: HeightPlan) -> Wish {
        if let last, last.plan == plan, last.wanted == wanted {
            // The same set is mostly asked for again, and is known by its memory then.
            last.wanted = wanted
            return last
        }
        let wish = Wish(wanted, of: plan)
        last = wish
        return wish
    }

    /// A block for the targets that all of its rows were laid out for.
    static func block(_ rows: [Stated]) throws(ByteError) -> RowBlock {
        guard let targets = rows.first?.targets else { throw .empty("block") }
        if rows.allSatisfy({ $0.targets == targets }) { return try RowBlock(sealing: rows.map(\.row), for: targets) }
        let common = targets.filter { target in rows.allSatisfy { $0.targets.contains(target) } }
        let sealed = rows.map { row, targets in
            var row = row
            row.heights = common.map { row.heights[targets.firstIndex(of: $0)!] }
            return row
        }
        return try RowBlock(sealing: sealed, for: common)
    }
}

/// Plans of lists of heights, by the checksums that the lists begin with. There are as many as there are lists of
/// targets: a handful.
private struct HeightPlans {
    private var known: [UInt32: HeightPlan] = [:]

    private static let most = 64

    subscript(sum: UInt32) -> HeightPlan? { known[sum] }

    /// Learns the targets that a record has.
    mutating func learn(_ targets: [Target]) -> HeightPlan {
        let plan = HeightPlan(targets)
        if known.count >= Self.most { known.removeAll() }
        known[plan.sum] = plan
        return plan
    }
}
