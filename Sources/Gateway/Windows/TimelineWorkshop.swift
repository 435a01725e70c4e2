import Conversation
import MessageLayout
import Storage
import Wire

/// Where stored rows of an edition become what trees are made of.
final class TimelineWorkshop {
    var sealer: RowSealer
    let style: DecorationStyle

    /// A row as trees take it, for one target after another.
    struct Material {
        var row: SealedRow
        var targets: [Target]
        /// Of what it is laid out for any other; empty unless that was asked for.
        var measured: [UInt8]
    }

    var held: HeldRows
    /// Nil where nobody lays out for screens that nobody foresaw.
    private let source: LayoutSource?
    private let limits: WindowLimits
    /// The one that was used last is last.
    private var composers: [RowComposer] = []

    init(_ style: DecorationStyle, _ source: LayoutSource?, _ limits: WindowLimits) {
        self.style = style
        sealer = RowSealer(style: style)
        (self.source, self.limits) = (source, limits)
        held = HeldRows(limit: limits.held)
    }

    /// Those that changed, as they are by now. A row that cannot be read is laid out again, and comes then.
    /// - Parameter measured: with what layouts for other screens are made of.
    func rows(
        _ notes: [ShardChangeNote], of feed: ShardFeed, measured: Bool
    ) throws(StorageError) -> [MessageNumber: Material] {
        var rows: [MessageNumber: Material] = [:]
        let wanted = Set(notes.filter { $0.kind == .laidOut || $0.kind == .touched }.map(\.number))
        for row in try feed.rows(Array(wanted), measured: measured) {
            do throws(WireError) {
                let (sealed, targets) = try sealer.seal(row)
                rows[row.number] = Material(row: sealed, targets: targets, measured: row.measured)
            } catch {}
        }
        return rows
    }

    /// Who lays rows out for the screen of a timeline; nil where workers have.
    /// - Parameter targets: of the conversation's rows; none where it has no rows.
    func composer(
        for key: SharedTimeline.Key, besides targets: [Target]
    ) throws(WindowRefusal) -> RowComposer? {
        if (targets.isEmpty ? source?.style.targets ?? [key.target] : targets).contains(key.target) { return nil }
        guard let source, source.edition == key.edition, key.target.width >= limits.narrowest else {
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
