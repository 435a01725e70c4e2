/// The place of an event in the journal, and so the name of the work that it causes.
package struct JobID: Hashable, Comparable, Sendable {
    package var number: Int64
    package init(_ number: Int64) { self.number = number }
    package static func < (a: JobID, b: JobID) -> Bool { a.number < b.number }
}

/// One event to be laid out for every target of the style.
package struct Job: Equatable, Sendable {
    package var id: JobID
    package var event: Event
    package init(id: JobID, event: Event) {
        self.id = id
        self.event = event
    }
}

/// Names one loan of jobs to one worker. `term` rises with every start of the coordinator, so that an answer meant for
/// an earlier one matches nothing.
package struct LeaseID: Hashable, Sendable {
    package var term: UInt64
    package var number: UInt64
    package init(term: UInt64, number: UInt64) {
        self.term = term
        self.number = number
    }
}

/// Jobs lent to one worker.
package struct Lease: Equatable, Sendable {
    package var id: LeaseID
    package var jobs: [Job]
    package init(id: LeaseID, jobs: [Job]) {
        self.id = id
        self.jobs = jobs
    }
}

/// How one job ended.
package struct JobResult: Equatable, Sendable {
    package var job: JobID
    package var outcome: Outcome

    package enum Outcome: Equatable, Sendable {
        /// Every target is in the cache, on disk.
        case stored
        /// Not done, and not the job's fault: the cache could not be written, or the worker is leaving.
        case returned
        /// The style has no layout for such a message, and will have none however often it is asked.
        case refused(Objection)
    }

    package init(job: JobID, outcome: Outcome) {
        self.job = job
        self.outcome = outcome
    }
}

/// Why a message cannot be laid out: a sentence for who posted it, cut where it is longer than it may be.
package struct Objection: Error, Hashable, Sendable {
    package let text: String

    /// UTF-8 takes four bytes for a scalar at most.
    package init(_ text: String) { self.text = String(text.unicodeScalars.prefix(Limits.objection / 4)) }
}

/// A worker's sign of life: how many leases it takes at once and which it holds, finished ones left out.
package struct Beat: Equatable, Sendable {
    package var capacity: UInt8
    package var held: [LeaseID]
    package init(capacity: UInt8, held: [LeaseID]) {
        self.capacity = capacity
        self.held = held
    }
}

extension JobID: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(WireError) { number = try reader.integer() }
}

extension Job: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(id)
        writer.value(event)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        id = try reader.value()
        event = try reader.value()
    }
}

extension LeaseID: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(term)
        writer.integer(number)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        term = try reader.integer()
        number = try reader.integer()
    }
}

extension Lease: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(id)
        writer.list(jobs)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        id = try reader.value()
        jobs = try reader.list(atMost: Limits.jobsPerLease)
    }
}

extension JobResult: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(job)
        switch outcome {
        case .stored: writer.integer(1 as UInt8)
        case .returned: writer.integer(2 as UInt8)
        case .refused(let objection):
            writer.integer(3 as UInt8)
            writer.text(objection.text)
        }
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        job = try reader.value()
        switch try reader.integer(UInt8.self) {
        case 1: outcome = .stored
        case 2: outcome = .returned
        case 3:
            let text = try reader.text(atMost: Limits.objection, of: "objection")
            outcome = .refused(Objection(text))
        case let code: throw .unknownCase(code, of: "outcome")
        }
    }
}

extension Beat: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(capacity)
        writer.list(held)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        capacity = try reader.integer()
        held = try reader.list(atMost: Limits.leasesPerWorker)
    }
}
