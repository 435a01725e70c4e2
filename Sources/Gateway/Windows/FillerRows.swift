import Conversation
import Names
import Rows
import Storage
import Wire

/// The rows of the edition that fills another one, from a timeline in memory: a conversation that was in memory
/// before an incomplete edition was served is there again without a row being read, however long it is.
struct FillerRows {
    /// The place up to which the timeline had taken up the changes of that edition.
    let cursor: Cursor
    private let tree: RowTree
    /// Whether rows of another edition, which this one filled, too, stand among them.
    private let isMixed: Bool
    private var rank = 0

    /// The most rows in one turn.
    private static let most = 2048

    /// Nil where it is not known up to which place the timeline's rows are right.
    init?(_ shared: SharedTimeline, of edition: EditionID) {
        isMixed = shared.key.edition != edition
        guard let cursor = isMixed ? shared.feed.filler?.cursor : shared.feed.cursor else { return nil }
        (self.cursor, tree) = (cursor, shared.timeline.tree)
    }

    var isDone: Bool { rank == tree.count }

    /// The next rows, in order, as they look among those of the other edition.
    /// - Parameters:
    ///   - own: the rows that the other edition has itself.
    ///   - lacking: receives the rows that are to be read, as they are not of this edition here.
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
