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

/// A question for rows of a host whose journal has several logs, and so other numbers of messages: it names them.
struct NamedRowQuestion: Equatable, Sendable {
    var question: RowQuestion
    /// The name of the message of each job.
    var names: [MessageKey]

    init(_ question: RowQuestion, _ names: [MessageKey]) { (self.question, self.names) = (question, names) }

    /// A question for all rows that a batch lays out.
    init(_ question: RowQuestion, of batch: Batch) {
        self.init(
            question,
            question.jobs.map {
                MessageKey(batch.jobs[Int($0.place)].conversation, batch.jobs[Int($0.place)].messageID)
            })
    }

    /// Returns the question with the numbers that messages have here; those that are not known are left out.
    func numbered<Failure: Error>(
        _ number: (MessageKey) throws(Failure) -> MessageNumber?
    ) throws(Failure) -> RowQuestion {
        var own = question
        own.jobs = []
        for (job, name) in zip(question.jobs, names) {
            guard let message = try number(name) else { continue }
            own.jobs.append(RowQuestion.Job(place: job.place, shard: job.shard, message: message, number: job.number))
        }
        return own
    }
}

extension NamedRowQuestion: ByteCoded {
    func write(to writer: inout ByteWriter) {
        writer.value(question)
        for name in names {
            writer.value(name.conversation)
            writer.value(name.message)
        }
    }
    init(from reader: inout ByteReader) throws(ByteError) {
        question = try reader.value()
        names = []
        for _ in question.jobs { names.append(MessageKey(try reader.value(), try reader.value())) }
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
