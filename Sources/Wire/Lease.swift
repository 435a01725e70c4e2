package import MessageLayout

/// The place of an event in the journal, and so the name of the work that it causes.
package struct JobID: Hashable, Comparable, Sendable {
    package var number: Int64
    package init(_ number: Int64) { self.number = number }
    package static func < (a: JobID, b: JobID) -> Bool { a.number < b.number }
}

/// One event to be laid out for every target.
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

/// Jobs lent to one worker, and the targets that it lays each of them out for.
package struct Lease: Equatable, Sendable {
    package var id: LeaseID
    package var targets: [Target]
    package var jobs: [Job]
    package init(id: LeaseID, targets: [Target], jobs: [Job]) {
        self.id = id
        self.targets = targets
        self.jobs = jobs
    }
}

/// How one job ended.
package struct JobResult: Equatable, Sendable {
    package var job: JobID
    package var outcome: Outcome

    package enum Outcome: UInt8, CaseIterable, Sendable {
        /// Every target is in the cache, on disk.
        case stored = 1
        /// Not done, and not the job's fault: the cache could not be written, or the worker is leaving.
        case returned = 2
    }

    package init(job: JobID, outcome: Outcome) {
        self.job = job
        self.outcome = outcome
    }
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
        writer.list(targets)
        writer.list(jobs)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        id = try reader.value()
        targets = try reader.list(atMost: Limits.targets)
        jobs = try reader.list(atMost: Limits.jobsPerLease)
    }
}

extension JobResult: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(job)
        writer.integer(outcome.rawValue)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        job = try reader.value()
        let code = try reader.integer(UInt8.self)
        guard let outcome = Outcome(rawValue: code) else { throw .unknownCase(code, of: "outcome") }
        self.outcome = outcome
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
