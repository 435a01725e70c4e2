package import MessageLayout
package import Wire

/// A request of an operator to the coordinator: one JSON object, answered by one.
///
/// ```json
/// {"do": "status"}                              {"status": {…}}
/// {"do": "health"}                              {"health": {"posts": "open", …}}
/// {"do": "top"}                                 {"top": {"events": 812, "conversations": […], "kinds": […]}}
/// {"do": "cluster"}                             {"cluster": {"host": "a", "standing": "owning", …}}
/// {"do": "move", "host": "b"}                   {"done": true}
/// {"do": "compare"}                             {"done": true, "count": 7}
/// {"do": "pause", "lane": "backfill"}           {"done": true}
/// {"do": "roll", "edition": "…", "now": true}   {"done": true}
/// {"do": "shelf", "limit": 100}                 {"shelf": [{"place": "…/3/812", "reason": "…", "tried_again": false}, …]}
/// {"do": "replay", "places": ["…/3/812"]}       {"done": true, "count": 1}
/// {"do": "urge", "messages": [["c1", "m7"]]}    {"done": true, "count": 1}
/// {"do": "wanted", "targets": [["397@3", 12]]}  {"done": true}
/// {"do": "suspect", "shards": ["…/3"]}          {"done": true, "count": 1}
/// {"do": "prepare", "target": "397@3,130"}      {"done": true}
/// ```
package enum OperatorRequest: Equatable, Sendable {
    case status
    /// A question whether events are taken and laid out: short, as gateways ask twice a second.
    case health
    /// The conversations and kinds of most events lately.
    case top
    /// The standing of this host among others that have the same messages.
    case cluster
    /// Begins the log of the cluster, which nobody has begun, behind the journal of this host; of one partition, where
    /// one is named.
    case adopt(partition: Int? = nil)
    /// Moves the log of the cluster to that host, which is to own it; that of one partition, where one is named.
    case move(to: String, partition: Int? = nil)
    /// Has all hosts sum up their rows; answered by the number of the comparison, which the standing has.
    case compare
    case pause(Lane)
    case resume(Lane)
    /// Accepts nothing more; accepted messages are laid out.
    case drain
    case stopDraining
    /// Dismisses the workers of this process id: they finish their batches, and end.
    case dismiss(process: Int32)
    /// The jobs that were given up.
    case shelf(after: ShelfPlace?, limit: Int)
    /// Lays these out once more, or all.
    case replay([ShelfPlace]?)
    case drop([ShelfPlace]?)
    /// Has these messages laid out before all others, as readers wait for them. A gateway sends it; when it is lost,
    /// they come in their turn.
    case urge([MessageKey])
    /// Lays out in this edition all that the current one has, and serves it then; or, where it is hurried, as soon as
    /// it has the messages that readers look at.
    case roll(to: EditionID, isHurried: Bool = false)
    case retire(EditionID)
    /// Counts of the screens that were asked for and that the style does not prepare, since the last such word. A
    /// gateway sends it; when it is lost, less is known.
    case wanted([WantedTarget])
    /// Has the workers of these shards check them, as readers found them damaged. A gateway sends it that may not
    /// mark them in the folder itself; when it is lost, the next reader finds the same.
    case suspect([ShardOfEdition])
    /// Lays out for this screen, too, whether or not anybody asks for it.
    case prepare(Target)
    /// Lays out for this screen no more. Rows that have it keep it until they are laid out anew.
    case forget(Target)
}

/// A shard as an edition has it.
package struct ShardOfEdition: Hashable, Sendable {
    package var edition: EditionID
    package var shard: Shard

    package init(edition: EditionID, shard: Shard) { (self.edition, self.shard) = (edition, shard) }
}

extension OperatorRequest {
    /// Whether it changes something, and comes from a person.
    package var isOrder: Bool {
        switch self {
        case .status, .health, .top, .cluster, .compare, .shelf, .urge, .wanted, .suspect: false
        case .adopt, .move, .pause, .resume, .drain, .stopDraining, .dismiss, .replay, .drop, .roll, .retire, .prepare,
            .forget:
            true
        }
    }

    /// Whether a gateway may send it. A gateway faces the outside: it asks, and tells the wishes of readers.
    package var isOfGateways: Bool {
        switch self {
        case .health, .urge, .wanted, .suspect: true
        case .status, .top, .cluster, .adopt, .move, .compare, .pause, .resume, .drain, .stopDraining, .dismiss, .shelf,
            .replay, .drop, .roll, .retire, .prepare, .forget:
            false
        }
    }
}

extension ShardOfEdition {
    /// `edition/shard`.
    package var text: String { "\(edition)/\(shard.number)" }

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let shard = UInt16(parts[1]), let edition = try? EditionID(String(parts[0])) else {
            return nil
        }
        self.init(edition: edition, shard: Shard(shard))
    }
}

extension ShelfPlace {
    /// `edition/shard/job`, as operators name it.
    package var text: String { "\(edition)/\(shard.number)/\(job.number)" }

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let shard = UInt16(parts[1]), let job = UInt64(parts[2]),
            let edition = try? EditionID(String(parts[0]))
        else { return nil }
        self.init(edition: edition, shard: Shard(shard), job: JobNumber(job))
    }
}
