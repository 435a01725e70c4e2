import Pool
import Replication
import Wire

// Requests of producers, of this host and of others.
extension ClusterSeat {
    /// Sorts the requests of a turn, those that other hosts forwarded among them: own ones are judged here, and the
    /// owner is asked for the rest, whose events are counted. A request of several partitions comes in parts.
    mutating func sort(
        _ heard: [HeardRequest], at now: Moment
    ) throws -> (own: [HeardRequest], refused: [HeardRequest], forwarded: Int) {
        var sorted: (own: [HeardRequest], refused: [HeardRequest], forwarded: Int) = ([], [], 0)
        for whole in held.takeAll() + heard + forwarding.takeWaiting() {
            guard let parts = splits.parts(of: whole) else {
                sorted.refused.append(whole)
                continue
            }
            for one in parts {
                guard let partition = hasSeveralLogs ? one.partition : Partition(0) else {
                    sorted.own.append(one)
                    continue
                }
                switch door(of: partition) {
                case .open where isFree(partition): sorted.own.append(one)
                case .open, .wait: if !hasSeveralLogs || !held.hold(one) { sorted.refused.append(one) }
                case .busy: sorted.refused.append(one)
                case .elsewhere(let owner):
                    if try forward(one, to: owner, in: partition, at: now) {
                        sorted.forwarded += one.request.events.count
                    } else {
                        sorted.refused.append(one)
                    }
                }
            }
        }
        return sorted
    }

    /// Asks the owner to judge a producer's request.
    /// - Returns: false where it cannot be asked.
    private mutating func forward(
        _ heard: HeardRequest, to owner: HostID, in partition: Partition, at now: Moment
    ) throws -> Bool {
        // Requests of another host are not passed on: the two may each take the other for the owner.
        guard AnswerLine(PartLine.whole(heard.envelope)) == nil else { return false }
        let bytes = heard.bytes.isEmpty ? heard.request.json : heard.bytes
        guard forwarding.hasRoom(for: heard.request.events.count, bytes.count) else { return false }
        var payer = ""
        if case .key(let name) = heard.payer { payer = name }
        let asker = Forwarding.Asker.producer(envelope: heard.envelope, events: heard.request.events.count)
        return try ask(owner, for: bytes, of: payer, asker, in: partition, at: now)
    }

    mutating func ask(
        _ owner: HostID, for request: [UInt8], of payer: String, _ asker: Forwarding.Asker, in partition: Partition,
        at now: Moment
    ) throws -> Bool {
        let serial = forwarding.begin(asker, request.count, of: owner, in: partition, at: now)
        if try links.say(.post(serial: serial, payer: payer, request: request), to: owner) { return true }
        _ = forwarding.end(serial)
        return false
    }
}

extension IngestRequest {
    /// The bytes of a request without faults.
    fileprivate var json: [UInt8] {
        IngestRequest.json(of: events.compactMap { try? $0.get() }, lane: lane, subject: subject)
    }
}
