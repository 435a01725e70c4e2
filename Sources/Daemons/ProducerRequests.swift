import Pool
import Replication
import Wire

/// A request of a producer, as it came off the socket.
struct HeardRequest {
    var request: IngestRequest
    /// The frames that stood before the request: the producer that asked, and marks of its own.
    var envelope: [[UInt8]]
    var payer: Bookkeeper.Payer?
    /// The bytes of the request, as they came; none of a part of a request.
    var bytes: [UInt8]
    /// The partition of all of its events, where a log has several; nil where that was not asked yet.
    var partition: Partition?
}

/// An answer that a producer gets once the turn is in the journal.
struct PendingAnswer {
    /// The frames that stood before the request, of the first asker; they stand before the answer, too.
    var envelope: [[UInt8]]
    var answers: [Judgement]
    /// The partition of all of its events, where a log has several.
    var partition: Partition?

    /// Takes back the judgements, as they were not kept.
    mutating func unkeep(retryAfter: Int, reason: BusyReason) {
        answers = answers.map { Judgement($0.unkept(retryAfter: retryAfter, reason: reason)) }
    }
}
