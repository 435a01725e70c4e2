import Bytes
import Names
import Pool
import Wire

/// A question of one host to another for the rows of a batch: those that the same jobs left there.
struct RowQuestion: Equatable, Sendable {
    struct Job: Equatable, Sendable {
        /// The place in the batch, from zero.
        var place: UInt16
        /// The shard of the journal.
        var shard: Shard
        var message: MessageNumber
        var number: JobNumber
    }

    var batch: BatchID
    var edition: EditionID
    /// The digest of the engine that lays out for the host that asks: rows of another one would not be equal.
    var engine: String
    var jobs: [Job]

    init(batch: BatchID, edition: EditionID, engine: String, jobs: [Job]) {
        (self.batch, self.edition, self.engine, self.jobs) = (batch, edition, engine, jobs)
    }

    /// A question for all rows that a batch lays out.
    init(_ batch: Batch, of edition: EditionID, _ engine: EngineFacts, shards: Int) {
        let jobs = batch.jobs.enumerated().compactMap { place, job -> Job? in
            guard case .layOut = job.work else { return nil }
            return Job(
                place: UInt16(place), shard: Shard(of: job.conversation, among: shards), message: job.message,
                number: job.number)
        }
        self.init(batch: batch.id, edition: edition, engine: engine.digest, jobs: jobs)
    }
}

extension RowQuestion: ByteCoded {
    func write(to writer: inout ByteWriter) {
        writer.value(batch)
        writer.value(edition)
        writer.text(engine)
        writer.list(jobs)
    }
    init(from reader: inout ByteReader) throws(ByteError) {
        batch = try reader.value()
        edition = try reader.value()
        engine = try reader.text(atMost: Limits.name, of: "engine")
        jobs = try reader.list(atMost: Limits.jobsPerBatch)
    }
}

extension RowQuestion.Job: ByteCoded {
    func write(to writer: inout ByteWriter) {
        writer.integer(place)
        writer.value(shard)
        writer.value(message)
        writer.value(number)
    }
    init(from reader: inout ByteReader) throws(ByteError) {
        place = try reader.integer()
        shard = try reader.value()
        message = try reader.value()
        number = try reader.value()
    }
}
