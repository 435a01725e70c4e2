import Wire

extension PoolStatus {
    /// Sentences about what keeps messages from being accepted or shown; none when all is well.
    package var troubles: [String] {
        var troubles: [String] = []
        if let served = editions.first(where: \.isCurrent) {
            if servedWorkers == 0 {
                troubles.append(
                    "no worker lays out the served edition \(served.title): what is accepted is not shown; start forme serve, or forme "
                        + "worker with its style")
            }
            let blocked = served.shards.indices.filter { served.shards[$0].isBlocked }
            if !blocked.isEmpty {
                let names = blocked.map { "\($0)" }.joined(separator: ", ")
                troubles.append("shards that cannot be written: \(names); the log says why")
            }
        } else {
            troubles.append("no edition is served, as no worker has come yet")
        }
        for lane in lanes where lane.isPaused { troubles.append("the lane \(lane.lane.word) is paused") }
        if isDraining { troubles.append("draining: nothing more is accepted") }
        return troubles + (cluster?.troubles ?? [])
    }

    /// What an operator wants to know first.
    package var verdict: String { troubles.isEmpty ? "all is well" : troubles.joined(separator: "; ") }
}

extension PoolStatus.EditionLine {
    /// Its name, and the beginning of its id.
    fileprivate var title: String { name == id.text || name.isEmpty ? id.text : "\(name) \(id.text.prefix(8))" }
}
