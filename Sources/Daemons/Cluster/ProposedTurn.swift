import Pool
import Replication

/// A turn that was judged, cut into pieces that fit a record each, and those who wait for what becomes of it.
struct ProposedTurn<Waiting> {
    let waiting: Waiting
    /// Pieces that are not in the log yet; the first is on its way.
    private var pieces: [TurnContent]

    /// Bytes of the entries of a piece: half a record, as a single entry may be longer than what is left.
    private static var piece: Int { LogBounds.record / 2 }

    init(_ content: TurnContent, _ waiting: Waiting) {
        self.waiting = waiting
        pieces = content.pieces(atMost: Self.piece)
    }

    var first: TurnContent? { pieces.first }

    /// The piece that was on its way is in the log and in the journal, or is not to be answered.
    /// - Returns: the next one; nil where those who wait are to be told.
    mutating func settle(isKept: Bool) -> TurnContent? {
        pieces.removeFirst()
        return isKept ? pieces.first : nil
    }
}

extension TurnContent {
    /// Place behind it where the journal goes on.
    var next: LogPosition { LogPosition(first.number + Int64(entries.count + notes.count)) }
}
