import Pool
import Replication

/// A judged turn, cut into pieces that fit a record each, and those who wait for its outcome.
struct ProposedTurn<Waiting> {
    var waiting: Waiting
    /// The pieces that are not in the log yet; the first is on its way.
    private var pieces: [TurnContent]

    /// The bytes of a piece: half a record, as a single entry may be longer than the rest of one.
    static var piece: Int { LogBounds.record / 2 }

    init(_ content: TurnContent, _ waiting: Waiting) {
        self.init(content.pieces(atMost: Self.piece), waiting)
    }

    init(_ pieces: [TurnContent], _ waiting: Waiting) { (self.pieces, self.waiting) = (pieces, waiting) }

    var first: TurnContent? { pieces.first }

    /// Settles the piece that was on its way: it is in the log and in the journal, or is not to be answered.
    /// - Returns: the next piece; nil where those who wait are to be told.
    mutating func settle(isKept: Bool) -> TurnContent? {
        pieces.removeFirst()
        return isKept ? pieces.first : nil
    }
}
