import Conversation
import Names
import Rows
import Storage
import Wire

/// The rows of the edition that fills another one, as a timeline has them that is in memory: whoever looked at a conversation before an
/// edition was served that is not whole has it again without a row being read, however long it is.
struct FillerRows {
    /// Up to where the timeline had taken up what changed in that edition.
    let cursor: Cursor
    private let tree: RowTree
    /// Rows of another edition stand among them, that this one filled, too.
    private let isMixed: Bool
    private var rank = 0

    /// In one turn.
    private static let most = 2048

    /// Nil where the timeline does not say up to where its rows are right.
    init?(_ shared: SharedTimeline, of edition: EditionID) {
        isMixed = shared.key.edition != edition
        guard let cursor = isMixed ? shared.feed.filler?.cursor : shared.feed.cursor else { return nil }
        (self.cursor, tree) = (cursor, shared.timeline.tree)
    }

    var isDone: Bool { rank == tree.count }

    /// The next rows, in order, as they look among those of the other edition.
    /// - Parameters:
    ///   - own: what the other edition has itself.
    ///   - lacking: to which those are added that are to be read, as they are not of this edition here.
    mutating func next(but own: Set<MessageNumber>, _ lacking: inout [MessageNumber]) -> [NewRow] {
        let range = rank..<min(rank + Self.most, tree.count)
        rank = range.upperBound
        var rows: [NewRow] = []
        rows.reserveCapacity(range.count)
        for var row in tree.newRows(range) where !own.contains(row.number) {
            if !isMixed {
                row.look.template = DecorationStyle.fillerName(of: row.look.template)
            } else if !DecorationStyle.isFillerName(row.look.template) {
                lacking.append(row.number)
                continue
            }
            rows.append(row)
        }
        return rows
    }
}
