import Names
import Pool
import Replication
import Wire

/// Requests between hosts: those of this host that the owner was asked for, and those that others forwarded to this
/// one.
struct Forwarding {
    /// The sender of a request that waits for the owner's answer.
    enum Asker {
        case producer(envelope: [[UInt8]], events: Int)
        case salvage(Partition)

        fileprivate var events: Int { if case .producer(_, let events) = self { events } else { 0 } }
    }

    private struct Asked {
        var asker: Asker
        var bytes: Int
        var owner: HostID
        var partition: Partition
        var since: Moment
    }

    private var asked: [UInt64: Asked] = [:]
    private var serial = UInt64.random(in: 0 ... .max)
    private var waiting: [HeardRequest] = []

    /// The time that an owner has; then the producer is told to try again. Events that were written all the same are
    /// then duplicates.
    private static let patience = Duration.seconds(3)
    /// The most events that wait, either way.
    private static let most = 8192
    /// The most bytes of their requests, either way: events may be long, and the loop needs memory for other things.
    static let mostBytes = 64 << 20

    // Requests of this host.

    /// - Parameter bytes: the size of the request.
    func hasRoom(for events: Int, _ bytes: Int) -> Bool {
        asked.values.reduce(events) { $0 + $1.asker.events } <= Self.most
            && asked.values.reduce(bytes) { $0 + $1.bytes } <= Self.mostBytes
    }

    /// The number under which the owner is asked, and answers.
    mutating func begin(
        _ asker: Asker, _ bytes: Int, of owner: HostID, in partition: Partition = Partition(0), at now: Moment
    ) -> UInt64 {
        serial &+= 1
        asked[serial] = Asked(asker: asker, bytes: bytes, owner: owner, partition: partition, since: now)
        return serial
    }

    /// Ends the request of a number: it was answered, or could not be sent.
    mutating func end(_ serial: UInt64) -> Asker? { asked.removeValue(forKey: serial)?.asker }

    /// Askers that the owner did not answer in time, or that asked a host which does not own the log any more.
    /// - Parameter owner: the owner of a partition that is known now; nil where none is known.
    mutating func takeOverdue(at now: Moment, owner: (Partition) -> HostID?) -> [Asker] {
        let overdue = asked.filter { _, one in
            now - Self.patience > one.since || owner(one.partition).map { $0 != one.owner } ?? false
        }
        for serial in overdue.keys { asked[serial] = nil }
        return overdue.values.map(\.asker)
    }

    /// All askers that have no answer, as this process ends.
    mutating func takeAll() -> [Asker] {
        defer { asked = [:] }
        return asked.values.map(\.asker)
    }

    // Requests of others.

    /// Takes a request of another host, which has read it before.
    /// - Returns: the number of its events to answer `busy`, as there is no room for them; nil where it waits, or is
    ///   no request.
    mutating func take(_ bytes: [UInt8], of payer: String, on line: AnswerLine) -> Int? {
        guard let request = try? IngestRequest(parsing: bytes, eventLimit: Limits.eventsPerRequest) else { return nil }
        guard waiting.reduce(request.events.count, { $0 + $1.request.events.count }) <= Self.most,
            waiting.reduce(bytes.count, { $0 + $1.bytes.count }) <= Self.mostBytes
        else { return request.events.count }
        let payer: Bookkeeper.Payer = payer.isEmpty ? .connection(line.peer) : .key(payer)
        waiting.append(HeardRequest(request: request, envelope: [line.frame], payer: payer, bytes: bytes))
        return nil
    }

    mutating func takeWaiting() -> [HeardRequest] {
        defer { waiting = [] }
        return waiting
    }
}
