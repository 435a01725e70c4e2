import Bytes
import Conversation
import MessageLayout
import Names
import Record
import Rows
import Storage
import Wire

/// The workshop of an edition and its style, or that of the edition and of the one that fills it: it makes of stored
/// rows the rows that trees are made of.
final class TimelineWorkshop {
    var sealer: RowSealer
    /// The style of the edition; where another one fills it, with the templates of both.
    let style: DecorationStyle

    /// A row as trees take it, for one target after another.
    struct Material {
        var row: SealedRow
        var targets: [Target]
        /// The measures that it is laid out of for any other target; empty unless that was needed.
        var measured: [UInt8]
        /// Whether it is of the edition that fills the served one.
        var isFiller = false
    }

    var held: HeldRows
    /// The source of layouts for screens that nobody foresaw; nil where nothing is laid out for these.
    private let source: LayoutSource?
    private let limits: WindowLimits
    /// The composers by their last use, the latest last.
    private var composers: [RowComposer] = []

    init(_ style: DecorationStyle, _ source: LayoutSource?, _ limits: WindowLimits) {
        self.style = style
        sealer = RowSealer(style: style)
        (self.source, self.limits) = (source, limits)
        // Each edition has one, and another while it is filled; two are in use at a time.
        held = HeldRows(limit: limits.held / 2)
    }

    /// The rows that changed, as they are by now. A row that cannot be read is laid out again, and comes then.
    /// - Parameter targets: screens that the rows are to be shown on.
    func rows(
        _ notes: [ShardChangeNote], of feed: ShardFeed, for targets: Set<Target>
    ) throws(StorageError) -> [MessageNumber: Material] {
        let wanted = Set(notes.filter { $0.kind == .laidOut || $0.kind == .touched }.map(\.number.number))
        // In the order in which they stand in the file.
        return try rows(wanted.sorted().map { MessageNumber($0) }, of: feed, for: targets)
    }

    func rows(
        _ numbers: [MessageNumber], of feed: ShardFeed, for targets: Set<Target>
    ) throws(StorageError) -> [MessageNumber: Material] {
        var rows: [MessageNumber: Material] = [:]
        if feed.filler == nil {
            for (stated, measured) in try feed.stated(numbers, for: targets, by: &sealer) {
                rows[stated.row.number] = Material(row: stated.row, targets: stated.targets, measured: measured)
            }
        } else {
            // A row that is not whole comes from the other edition.
            for row in try feed.rows(numbers, for: targets) {
                do throws(ByteError) { rows[row.number] = try material(row, for: targets) } catch {}
            }
        }
        return rows
    }

    func material(_ row: ReadRow, for targets: Set<Target>) throws(ByteError) -> Material {
        let (sealed, targets) = try sealer.seal(row, for: targets)
        return Material(row: sealed, targets: targets, measured: row.measured, isFiller: row.filler != nil)
    }

    /// The layouter of drafts; nil where they cannot be laid out.
    var draftSource: (edition: EditionID, open: DraftLayouter.Open)? {
        source.flatMap { source in source.drafting.map { (source.edition, $0) } }
    }

    /// Whether workers lay out for the screen, as far as is known here.
    func isPrepared(_ target: Target) -> Bool { source?.style.targets.contains(target) ?? true }

    /// The composer of rows for the screen of a timeline, where workers have not laid them out.
    /// - Parameter known: the composer that was found before.
    func composer(
        for key: SharedTimeline.Key, _ known: inout RowComposer?
    ) throws(WindowRefusal) -> RowComposer {
        if let known { return known }
        let composer = try composer(for: key)
        known = composer
        return composer
    }

    private func composer(for key: SharedTimeline.Key) throws(WindowRefusal) -> RowComposer {
        guard let source, key.target.width >= limits.narrowest else {
            throw .unprepared
        }
        var composer = RowComposer(source, for: key.target)
        if let known = composers.firstIndex(where: { $0.target == key.target }) {
            composer = composers.remove(at: known)
        }
        composers.append(composer)
        // Timelines that have one keep it.
        if composers.count > limits.composers { composers.removeFirst() }
        return composer
    }
}
