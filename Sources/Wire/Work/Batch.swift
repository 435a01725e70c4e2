package import Bytes

/// The name of one loan of jobs to one worker. `term` rises with every start of the coordinator, so that an answer
/// meant for an earlier one matches nothing.
package struct BatchID: Hashable, Sendable {
    package var term: UInt64
    package var number: UInt64
    package init(term: UInt64, number: UInt64) {
        (self.term, self.number) = (term, number)
    }
}

/// Jobs of one shard, of different messages, lent to the worker that has the shard under `epoch`.
///
/// A batch without jobs asks the worker to take the shard over, and to sync the commits that others left in it.
package struct Batch: Equatable, Sendable {
    package var id: BatchID
    package var shard: Shard
    package var epoch: LeaseEpoch
    /// The index of the batch under this epoch, from zero. A worker takes no batch before all earlier ones, so that
    /// a loss on the way cannot change the order.
    package var place: UInt64
    /// The file that the jobs are for, if one is known. Nothing is written to any other file: rows that were
    /// removed from a lost file must not come back in the one that replaces it.
    package var origin: ShardOrigin?
    package var jobs: [LayoutJob]
    /// Rows of its jobs that were made elsewhere.
    package var made: MadeRows?

    package init(
        id: BatchID, shard: Shard, epoch: LeaseEpoch, place: UInt64, origin: ShardOrigin? = nil, jobs: [LayoutJob],
        made: MadeRows? = nil
    ) {
        (self.id, self.shard, self.epoch, self.place) = (id, shard, epoch, place)
        (self.origin, self.jobs, self.made) = (origin, jobs, made)
    }
}

/// The outcome of a batch: one transaction, or none.
package struct BatchReport: Equatable, Sendable {
    package var batch: BatchID
    package var shard: Shard
    package var end: End
    /// The number of messages that have no row in the file, and get none until a newer event. Counted where the
    /// batch was committed.
    package var unavailable: Int
    /// The difference between a row that was made elsewhere and the same row made here, where one was compared and
    /// differs.
    package var difference: Objection?

    package enum End: Equatable, Sendable {
        /// Committed under the stamp, in the file of that origin; readers see it. Jobs without a result were not done.
        case committed(Stamp, ShardOrigin, [LayoutResult])
        /// Another worker has the shard under a higher epoch: nothing was written.
        case fenced
        /// The shard has another file than the jobs are for: nothing was written.
        case otherFile(ShardOrigin)
        /// The shard is held up by this process, or cannot be opened or written: nothing was written.
        case blocked(Objection)
    }

    package init(batch: BatchID, shard: Shard, end: End, unavailable: Int = 0) {
        (self.batch, self.shard, self.end, self.unavailable) = (batch, shard, end, unavailable)
    }

    package var isCommitted: Bool { if case .committed = end { true } else { false } }
}

extension BatchID: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(term)
        writer.integer(number)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        term = try reader.integer()
        number = try reader.integer()
    }
}

extension Batch: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(id)
        writer.value(shard)
        writer.value(epoch)
        writer.integer(place)
        writer.integer((origin == nil ? 0 : 1) | (made == nil ? 0 : 2) as UInt8)
        if let origin { writer.value(origin) }
        writer.list(jobs)
        if let made { writer.value(made) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        id = try reader.value()
        shard = try reader.value()
        epoch = try reader.value()
        place = try reader.integer()
        let flags = try reader.integer(UInt8.self)
        guard flags < 4 else { throw .unknownCase(flags, of: "batch") }
        origin = flags & 1 != 0 ? try reader.value(ShardOrigin.self) : nil
        jobs = try reader.list(atMost: Limits.jobsPerBatch)
        made = flags & 2 != 0 ? try reader.value(MadeRows.self) : nil
    }
}

extension BatchReport: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(batch)
        writer.value(shard)
        switch end {
        case .committed(let stamp, let origin, let results):
            // Where both fields are empty, the bytes are those of versions without them.
            writer.integer((difference != nil ? 6 : unavailable == 0 ? 1 : 5) as UInt8)
            if unavailable > 0 || difference != nil { writer.integer(UInt32(clamping: unavailable)) }
            if let difference { writer.text(difference.text) }
            writer.value(stamp)
            writer.value(origin)
            writer.list(results)
        case .fenced: writer.integer(2 as UInt8)
        case .blocked(let objection):
            writer.integer(3 as UInt8)
            writer.text(objection.text)
        case .otherFile(let origin):
            writer.integer(4 as UInt8)
            writer.value(origin)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        batch = try reader.value()
        shard = try reader.value()
        let code = try reader.integer(UInt8.self)
        unavailable = code == 5 || code == 6 ? Int(try reader.integer(UInt32.self)) : 0
        difference = code == 6 ? Objection(try reader.text(atMost: Limits.objection, of: "difference")) : nil
        switch code {
        case 1, 5, 6:
            end = .committed(
                try reader.value(), try reader.value(), try reader.list(atMost: Limits.jobsPerBatch))
        case 2: end = .fenced
        case 3: end = .blocked(Objection(try reader.text(atMost: Limits.objection, of: "objection")))
        case 4: end = .otherFile(try reader.value())
        default: throw .unknownCase(code, of: "end")
        }
    }
}
