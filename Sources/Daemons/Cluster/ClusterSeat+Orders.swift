import Names
import Pool
import Replication
import Wire

// Orders of operators.
extension ClusterSeat {
    /// Carries out an operator's order for the cluster.
    /// - Returns: nil where the request is not for a cluster.
    mutating func obey(_ request: OperatorRequest) throws -> OperatorAnswer? {
        switch request {
        case .cluster: return .cluster(standing)
        case .adopt(let number):
            if let objection = unknown(number) { return .error(objection) }
            if let objection = try adopt(number) { return .error(objection) }
        case .move(let heir, let number):
            if let objection = unknown(number) { return .error(objection) }
            if let objection = try move(to: heir, number) { return .error(objection) }
        case .compare: return .done(count: Int(clamping: try compareRows()))
        default: return nil
        }
        return .done(count: nil)
    }

    /// - Returns: the reason why there is no such partition; nil where there is, or none is named.
    private func unknown(_ number: Int?) -> String? {
        let count = crew.plan.map.partitions
        guard let number, !(0..<count).contains(number) else { return nil }
        return count == 1
            ? "this cluster has one partition, 0"
            : "this cluster has the partitions 0 to \(count - 1), and no \(number)"
    }

    /// The partition of this number; all where none is named.
    private func chosen(_ number: Int?) -> [Partition] { number.map { [Partition(UInt16($0))] } ?? partitions }

    /// Begins the log behind the journal of this host, in each partition that has none.
    /// - Returns: the reason why that cannot be; nil where it is done.
    private mutating func adopt(_ number: Int?) throws -> String? {
        var objection: String?
        var isDone = false
        for partition in chosen(number) {
            switch crew.replica(of: partition)!.standing {
            case .stopped:
                try crew.adopt(partition)
                isDone = true
            case .joining:
                objection =
                    "this host has not read the log yet; where the engine does not answer, its program log says so"
            case .following, .claiming, .owning, .lost:
                objection = objection ?? "the log of this cluster was begun before"
            }
        }
        return isDone ? nil : objection
    }

    /// Lets another host own the log, or the log of one partition, whichever host owns it now.
    /// - Returns: the reason why that cannot be; nil where it is on its way.
    private mutating func move(to name: String, _ number: Int?) throws -> String? {
        guard let heir = crew.plan.hosts.first(where: { $0.text == name }) else {
            let names = crew.plan.hosts.map(\.text).sorted().joined(separator: ", ")
            return "no host of this cluster is called '\(name)'; they are \(names)"
        }
        for partition in chosen(number) {
            guard let owner = owner(of: partition) else { return "nobody owns the log of this cluster at the moment" }
            if owner == crew.plan.host {
                try crew.move(partition, to: heir)
            } else if owner != heir, try !links.say(.word(.move(partition, to: heir)), to: owner) {
                return "\(owner.text), which owns the log, is not heard"
            }
        }
        return nil
    }

    /// - Returns: the number of the comparison of all hosts' rows that begins.
    private mutating func compareRows() throws -> UInt64 {
        let number = comparison.begin()
        for host in crew.plan.hosts where host != crew.plan.host { try links.say(.count(number), to: host) }
        return number
    }

    /// Passes on counts to the hosts that asked for them.
    mutating func tellCounts(_ edition: EditionID?) throws {
        for counted in comparison.takeCounted(edition) {
            if let route = counted.asker.route {
                try links.answer(.counted(counted.asker.number, counted.count), on: route)
            } else {
                comparison.take(counted.count, counted.asker.number, of: crew.plan.host)
            }
        }
    }

    var standing: ClusterStanding {
        let parts = partitions.map { ClusterStanding(crew.replica(of: $0)!, of: name) }
        var standing = hasSeveralLogs ? ClusterStanding(together: parts) : parts[0]
        let rows = comparison.counts.sorted { $0.key < $1.key }.map { host, count in
            ClusterStanding.Rows(
                host: host.text, edition: count.edition.text, count: count.rows, digest: count.digest)
        }
        standing.comparison = ClusterStanding.Comparison(number: comparison.number, rows: rows)
        return standing
    }
}
