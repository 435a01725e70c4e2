import Names
import Pool
import Replication
import Wire

/// Inspects a cluster that has come to rest, and can change nothing in it.
struct ClusterInspection {
    private let scenario: ClusterScenario
    private(set) var findings: [String] = []
    /// The number of entries of all partitions.
    private(set) var entries = 0
    private(set) var digest = RunDigest()

    private static let mostFindings = 20

    init(_ world: ClusterWorld) {
        scenario = world.scenario
        if world.tally.divergences > 0, scenario.faults.isDisjoint(with: [.lostTail, .reset]) {
            find("\(world.tally.divergences) times a log had what may not stand there, and no engine had forgotten")
        }
        for partition in world.partitions {
            let copies = world.hosts.map { host in
                (host: host.id, copy: PartitionCopy(partition, on: host.disk(of: partition), world.scenario.map))
            }
            for (host, copy) in copies.dropFirst() where !copy.isEqual(to: copies[0].copy) {
                find("host \(host) has another partition \(partition) than host \(copies[0].host) at one place")
            }
            for (host, copy) in copies {
                inspect(copy, of: "host \(host), partition \(partition)", partition, world.tally.accepted)
                digest.add(copy.last.link.number)
            }
            entries += copies[0].copy.entries.count
        }
    }

    private mutating func find(_ finding: String) {
        if findings.count < Self.mostFindings { findings.append(finding) }
    }

    private mutating func inspect(_ copy: PartitionCopy, of place: String, _ partition: Int, _ accepted: Set<Int>) {
        var lines: Set<Int> = []
        var names: [EventName: Int] = [:]
        for (line, said) in scenario.script.lines.enumerated() {
            if let event = said.event { names[EventName(event)] = line }
        }
        for entry in copy.entries {
            guard let line = names[EventName(entry.event)] else {
                find("\(place): \(entry.event.message) was never said")
                continue
            }
            if !lines.insert(line).inserted { find("\(place): line \(line) was accepted twice") }
        }
        let all = lines.union(accepted.filter { scenario.partition(of: $0) == partition })
        let fold = MessageFold(scenario.script, all)
        // A salvaged event is posted again, and may then be superseded: all that it set has newer values, and it is
        // in no journal.
        for line in all.subtracting(lines).sorted()
        where MessageFold(scenario.script, all.subtracting([line])).messages != fold.messages {
            find("\(place): line \(line) was accepted, and is not there")
        }
        inspect(copy, fold, place)
    }

    /// Checks that cards are the registers of everything accepted, and rows are those of the cards.
    private mutating func inspect(_ copy: PartitionCopy, _ fold: MessageFold, _ place: String) {
        for (key, registers) in fold.messages.sorted(by: { $0.key.message < $1.key.message }) {
            guard case .message(let card)? = copy.cards[key] else {
                find("\(place): \(key.message) has no card")
                continue
            }
            let isSame =
                card.body?.revision == registers.body?.revision && card.order == registers.order
                && card.status == registers.status && card.reactions == registers.reactions
                && card.voices == registers.voices && card.deletion == registers.deletion
            if !isSame { find("\(place): the card of \(key.message) is not of its events") }
        }
        var rows = copy.rows
        for case .message(let card) in copy.cards.values where card.isComplete {
            guard let row = rows.removeValue(forKey: card.number) else {
                find("\(place): message \(card.number.number) has no row")
                continue
            }
            if row != card.lastJob { find("\(place): the row of message \(card.number.number) is an old one") }
        }
        if !rows.isEmpty { find("\(place): \(rows.count) rows should not be there") }
    }

    /// The name of a line of the script, made of its event. An entry names its reader where the line may have none.
    private struct EventName: Hashable {
        var key: MessageKey
        var revision: Revision

        init(_ event: MessageEvent) {
            (key, revision) = (MessageKey(event.conversation, event.message), event.revision)
        }
    }
}
