import JSON

/// The standing of a host in its cluster, as its coordinator tells an operator.
package struct ClusterStanding: Equatable, Sendable {
    /// The last record of the log that a host has on its disk.
    package struct Place: Equatable, Sendable {
        package var sequence: UInt64
        /// The checksum over the log up to there: two hosts with the same one have the same journal.
        package var link: UInt64
        /// The number of entries of the journal.
        package var entries: Int64

        package init(sequence: UInt64, link: UInt64, entries: Int64) {
            (self.sequence, self.link, self.entries) = (sequence, link, entries)
        }
    }

    package struct Other: Equatable, Sendable {
        package var host: String
        /// The last place that it has told; nil where it was never heard.
        package var place: Place?
        /// The milliseconds since it was heard; nil where it never was.
        package var heardBefore: Int?
        package var isLost: Bool

        package init(host: String, place: Place?, heardBefore: Int?, isLost: Bool) {
            (self.host, self.place, self.heardBefore, self.isLost) = (host, place, heardBefore, isLost)
        }

        /// True where it is heard, and has a journal that a lost host can go on with.
        fileprivate var hasJournal: Bool {
            !isLost && heardBefore ?? .max <= ClusterStanding.patience && place?.sequence ?? 0 > 0
        }
    }

    /// The rows of a host in the edition that it serves, as they were counted.
    package struct Rows: Equatable, Sendable {
        package var host: String
        package var edition: String
        /// Nil where they could not be read.
        package var count: UInt64?
        package var digest: UInt64

        package init(host: String, edition: String, count: UInt64?, digest: UInt64) {
            (self.host, self.edition, self.count, self.digest) = (host, edition, count, digest)
        }
    }

    /// The sums of rows that were asked for last, of the hosts that have answered.
    package struct Comparison: Equatable, Sendable {
        package var number: UInt64
        package var rows: [Rows]

        package init(number: UInt64, rows: [Rows]) { (self.number, self.rows) = (number, rows) }
    }

    package var cluster: String
    package var host: String
    /// One of joining, following, claiming, owning, lost and stopped.
    package var standing: String
    /// The host that owns the log; nil before any host claimed it.
    package var owner: String?
    package var reign: UInt64
    package var place: Place
    /// The milliseconds since the log was heard.
    package var heardBefore: Int
    /// The answer that events get: open, wait, busy or elsewhere.
    package var door: String
    package var others: [Other]
    /// The milliseconds since which others could be heard.
    package var listening = Int.max
    package var comparison: Comparison?
    /// The standing in each partition of the log, in order; empty where there is one.
    package var parts: [ClusterStanding] = []

    package init(
        cluster: String, host: String, standing: String, owner: String?, reign: UInt64, place: Place,
        heardBefore: Int, door: String, others: [Other]
    ) {
        (self.cluster, self.host, self.standing, self.owner) = (cluster, host, standing, owner)
        (self.reign, self.place, self.heardBefore) = (reign, place, heardBefore)
        (self.door, self.others) = (door, others)
    }

    /// The standing of a host in all partitions of the log together: it has the troubles of each, and an owner where
    /// one host owns them all.
    package init(together parts: [ClusterStanding]) {
        let order = ["stopped", "lost", "joining", "claiming", "owning", "following"]
        let first = parts[0]
        let others = first.others.indices.map { index in
            let all = parts.map { $0.others[index] }
            let heard = all.compactMap(\.heardBefore)
            return Other(
                host: first.others[index].host, place: Place(together: all.compactMap(\.place), of: parts.count),
                heardBefore: heard.count == parts.count ? heard.max() : nil, isLost: all.contains(where: \.isLost))
        }
        let doors = parts.map(\.door)
        self.init(
            cluster: first.cluster, host: first.host,
            standing: order.first { standing in parts.contains { $0.standing == standing } } ?? first.standing,
            owner: parts.allSatisfy { $0.owner == first.owner } ? first.owner : nil,
            reign: parts.map(\.reign).max() ?? 0,
            place: Place(together: parts.map(\.place), of: parts.count) ?? first.place,
            heardBefore: parts.map(\.heardBefore).max() ?? 0,
            door: ["busy", "open", "wait"].first(where: doors.contains) ?? first.door, others: others)
        listening = first.listening
        self.parts = parts
    }

    /// The milliseconds after which a host that says nothing is away.
    package static let patience = 3000

    /// The troubles, one sentence each.
    var troubles: [String] {
        var troubles: [String] = []
        switch standing {
        case "stopped":
            // It may have been begun, and be gone.
            troubles.append("the engine has no log that the cluster can go on with; forme cluster init begins one")
        case "lost":
            troubles.append(
                others.contains(where: \.hasJournal)
                    ? "this host takes the journal of another one in place of its own"
                    : "this host cannot go on from its own journal, and hears none with another (the page Cluster)")
        case _ where door == "busy":
            let closed = parts.indices.filter { parts[$0].door == "busy" }.map { "\($0)" }
            troubles.append(
                "no host of the cluster takes events"
                    + (closed.isEmpty ? "" : " of partition \(closed.joined(separator: ", "))"))
        case _ where heardBefore > Self.patience: troubles.append("nothing is heard of the log of the cluster")
        default: break
        }
        // A host that has just begun has not heard any.
        let away = others.filter { $0.heardBefore ?? listening > Self.patience }.map(\.host)
        if !away.isEmpty { troubles.append("hosts that are not heard: \(away.joined(separator: ", "))") }
        return troubles
    }

    func writeMembers(to json: inout JSONWriter) {
        for (key, value) in [("cluster", cluster), ("host", host), ("standing", standing)] {
            json.key(key)
            json.string(value)
        }
        json.key("owner")
        if let owner { json.string(owner) } else { json.null() }
        json.key("reign")
        json.integer(Int(clamping: reign))
        place.writeMembers(to: &json)
        json.key("heard_before")
        json.integer(heardBefore)
        json.key("door")
        json.string(door)
        json.key("others")
        json.array { for other in others { other.write(to: &$0) } }
        if !parts.isEmpty {
            json.key("partitions")
            json.array { list in for part in parts { list.object { part.writeMembers(to: &$0) } } }
        }
        guard let comparison else { return }
        json.key("comparison")
        json.object { members in
            members.key("number")
            members.integer(Int(clamping: comparison.number))
            members.key("rows")
            members.array { for one in comparison.rows { one.write(to: &$0) } }
        }
    }
}

extension ClusterStanding.Place {
    /// The places in all partitions together: the number of all records and entries, and one checksum over those of the
    /// partitions; nil where the place in one is not known.
    fileprivate init?(together places: [Self], of count: Int) {
        guard places.count == count else { return nil }
        var link = StableHash()
        for place in places { link.add(place.link) }
        self.init(
            sequence: places.reduce(0) { $0 &+ $1.sequence }, link: link.value,
            entries: places.reduce(0) { $0 + $1.entries })
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("record")
        json.integer(Int(clamping: sequence))
        json.key("link")
        json.string(String(link, radix: 16))
        json.key("entries")
        json.integer(Int(entries))
    }
}

extension ClusterStanding.Rows {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { members in
            members.key("host")
            members.string(host)
            members.key("edition")
            members.string(edition)
            members.key("count")
            if let count { members.integer(Int(clamping: count)) } else { members.null() }
            members.key("digest")
            members.string(String(digest, radix: 16))
        }
    }
}

extension ClusterStanding.Other {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { members in
            members.key("host")
            members.string(host)
            place?.writeMembers(to: &members)
            if let heardBefore {
                members.key("heard_before")
                members.integer(heardBefore)
            }
            members.key("lost")
            members.bool(isLost)
        }
    }
}
