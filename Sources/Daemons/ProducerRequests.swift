import Pool
import Wire

/// A request of a producer, as it came off the socket.
struct HeardRequest {
    var request: IngestRequest
    /// Frames that stood before the request: the producer that asked, and marks of its own.
    var envelope: [[UInt8]]
    var payer: Bookkeeper.Payer?
    /// Bytes of the request, as they came.
    var bytes: [UInt8]
}

/// Answer that a producer gets once the turn is in the journal.
struct PendingAnswer {
    /// Frames that stood before the request, of who asked first: they stand before the answer, too.
    var envelope: [[UInt8]]
    var answers: [Judgement]

    /// Takes back what was judged, as it was not kept.
    mutating func unkeep(retryAfter: Int, reason: BusyReason) {
        answers = answers.map { Judgement($0.unkept(retryAfter: retryAfter, reason: reason)) }
    }
}
