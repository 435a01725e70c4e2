import Wire

extension PoolStatus {
    /// The troubles that keep messages from being accepted or shown, one sentence each; none when all is well.
    package var troubles: [String] {
        var troubles: [String] = []
        if let served = editions.first(where: \.isCurrent) {
            switch absence {
            case .none: break
            case .untilNow: troubles.append("no worker has come to the served edition \(served.title) yet")
            case .forLong:
                troubles.append(
                    "no worker lays out the served edition \(served.title): what is accepted is not shown; start forme serve, or forme "
                        + "worker with its style")
            }
            if let blocked = served.blocked { troubles.append(blocked) }
        } else {
            troubles.append("no edition is served, as no worker has come yet")
        }
        if isNextUnattended, let next = editions.first(where: \.isNext) {
            troubles.append(
                "no worker lays out the next edition \(next.title); start one with forme worker --edition \(next.id.text)"
            )
        }
        for lane in lanes where lane.isPaused { troubles.append("the lane \(lane.lane.word) is paused") }
        if isDraining { troubles.append("draining: nothing more is accepted") }
        if let unwritten {
            troubles.append("the journal cannot be written, and nothing more is accepted: \(unwritten)")
        }
        if let untidy {
            troubles.append(
                "the journal cannot be tidied up, and accepts nothing more when it holds too much: \(untidy)")
        }
        troubles += cluster?.troubles ?? []
        // Last: nothing else waits for them.
        if let sentence = givenUp.sentence { troubles.append(sentence) }
        return troubles
    }

    /// The troubles in one sentence, for an operator.
    package var verdict: String { troubles.isEmpty ? "all is well" : troubles.joined(separator: "; ") }
}

extension PoolStatus.GivenUp {
    fileprivate var sentence: String? {
        switch (count, isMore) {
        case (0, _): nil
        case (1, false): "1 message was given up and is not shown; read: forme shelf list"
        case (_, false): "\(count) messages were given up and are not shown; read: forme shelf list"
        case (_, true): "\(count) messages or more were given up and are not shown; read: forme shelf list"
        }
    }
}

extension PoolStatus.EditionLine {
    /// Files that cannot be written, with the reason of the first; nil where there are none.
    fileprivate var blocked: String? {
        let blocked = shards.indices.filter { shards[$0].isBlocked }
        guard let first = blocked.first, let reason = shards[first].objection?.text else { return nil }
        if blocked.count == 1 { return "1 file of layouts cannot be written (shard \(first)): \(reason)" }
        let names = blocked.map { "\($0)" }.joined(separator: ", ")
        return "\(blocked.count) files of layouts cannot be written (shards \(names)): of shard \(first), \(reason)"
    }

    /// Its name, and the beginning of its id.
    fileprivate var title: String { name == id.text || name.isEmpty ? id.text : "\(name) \(id.text.prefix(8))" }
}
