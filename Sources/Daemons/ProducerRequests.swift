import Pool
import Wire

/// A request of a producer, as it came off the socket.
struct HeardRequest {
    var request: IngestRequest
    /// Frames that stood before the request: the producer that asked, and marks of its own.
    var envelope: [[UInt8]]
    var payer: Bookkeeper.Payer?
    /// As it came.
    var bytes: [UInt8]
}

/// What will be told to who asked, once the turn is in the journal.
struct PendingAnswer {
    /// Who asked, and whatever frames stood before the request: they stand before the answer, too.
    var envelope: [[UInt8]]
    var answers: [Judgement]
}
