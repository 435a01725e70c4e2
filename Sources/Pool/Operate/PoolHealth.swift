import JSON
import Wire

/// The health of the pool: whether events are taken, and whether they will be laid out. A gateway asks the
/// coordinator for it twice a second, for those who direct requests and wake people.
///
/// ```json
/// {"posts": "busy", "reason": "draining", "closed_partitions": [], "served_workers": 2, "restarts": 0,
///  "lanes": […], "since_start": {…}, "figures": {…}}
/// ```
package struct PoolHealth: Equatable, Sendable {
    /// The reason why every event is answered `busy`; nil where events are taken.
    package var busy: BusyReason?
    /// The partitions of the log whose events are answered `busy`, as no owner of them is known, in order; nil where
    /// the log has one partition, and where the coordinator says nothing of it.
    package var closed: [Int]?
    /// The number of workers that lay out for readers; nil before any edition is served.
    package var servedWorkers: Int?
    /// The number of times that the coordinator was started again since the service was started.
    package var restarts: Int
    package var lanes: [LaneLoad]
    package var content: ContentStanding
    package var counts: [Count]
    package var figures: PoolFigures

    package init(
        busy: BusyReason?, closed: [Int]? = nil, servedWorkers: Int?, restarts: Int = 0, lanes: [LaneLoad] = [],
        content: ContentStanding = ContentStanding(), counts: [Count] = [], figures: PoolFigures = PoolFigures()
    ) {
        (self.busy, self.closed) = (busy, closed)
        (self.servedWorkers, self.restarts) = (servedWorkers, restarts)
        (self.lanes, self.content, self.counts, self.figures) = (lanes, content, counts, figures)
    }

    package enum BusyReason: String, CaseIterable, Sendable {
        case draining
        case diskFull = "disk full"
        case journal = "the journal cannot be written"
        case queueFull = "queue full"
        case noOwner = "no host of the cluster takes events"
    }

    /// The load of a lane, of the edition that is served.
    package struct LaneLoad: Equatable, Sendable {
        package var lane: String
        package var open: Int
        /// The milliseconds that the oldest waits; 0 when none does.
        package var oldest: Int
    }

    /// A count since the coordinator started.
    package struct Count: Equatable, Sendable {
        package var name: String
        package var value: Int
    }
}

extension Dispatcher {
    /// - Parameters:
    ///   - trouble: the trouble that keeps the journal from being written, which is not known here.
    ///   - closed: the partitions of the log of which no owner is known; nil where there is one.
    ///   - warned: the number of events that were accepted with a warning.
    ///   - forgotten: for each shard, the number of messages whose content the journal no longer keeps.
    ///   - figures: the figures, of which those of the pool itself are filled in here.
    package func health(
        trouble: PoolHealth.BusyReason?, closed: [Int]? = nil, restarts: Int, warned: Int = 0,
        forgotten: [Int] = [], figures: PoolFigures = PoolFigures()
    ) -> PoolHealth {
        var counters = context.counters
        counters.warned = warned
        let full: PoolHealth.BusyReason? = room.has(.live) ? nil : .queueFull
        return PoolHealth(
            busy: isDraining ? .draining : trouble ?? full, closed: closed,
            servedWorkers: roll.service == nil ? nil : servedWorkers, restarts: restarts,
            lanes: status.lanes.map {
                .init(lane: $0.lane.word, open: $0.open, oldest: $0.oldest.map { Int($0 / .milliseconds(1)) } ?? 0)
            },
            content: content(forgotten: forgotten),
            counts: counters.named.map { .init(name: $0.name, value: $0.count) },
            figures: completed(figures))
    }
}

extension Dispatcher {
    /// Returns the figures with those that the pool measures.
    package func completed(_ figures: PoolFigures) -> PoolFigures {
        var figures = figures
        figures.ready = context.ready
        (figures.work.batches, figures.work.syncs) = (context.batches, context.syncs)
        figures.work.leases = roll.all.reduce(0) { $0 + $1.leases.held }
        return figures
    }
}

extension PoolStatus.Counters {
    /// The counters as they are spelled in answers.
    var named: [(name: String, count: Int)] {
        [
            ("accepted", accepted), ("warned", warned), ("stored", stored), ("superseded", superseded),
            ("retried", retried), ("shelved", shelved), ("workers_lost", lost), ("leases_broken", broken),
            ("shards_moved", moved),
        ]
    }
}

extension ContentStanding {
    func writeMembers(to json: inout JSONWriter) {
        json.key("forgotten")
        json.integer(forgotten)
        json.key("most_in_one_file")
        json.integer(mostInOneFile)
        json.key("unavailable")
        json.integer(unavailable)
    }
}

extension PoolHealth {
    func writeMembers(to json: inout JSONWriter) {
        json.key("posts")
        json.string(busy == nil ? "open" : "busy")
        if let busy {
            json.key("reason")
            json.string(busy.rawValue)
        }
        if let closed {
            json.key("closed_partitions")
            json.array { list in for number in closed { list.integer(number) } }
        }
        json.key("served_workers")
        if let servedWorkers { json.integer(servedWorkers) } else { json.null() }
        json.key("restarts")
        json.integer(restarts)
        json.key("lanes")
        json.array { lanes in
            for lane in self.lanes {
                lanes.object {
                    $0.key("lane")
                    $0.string(lane.lane)
                    $0.key("open")
                    $0.integer(lane.open)
                    $0.key("oldest_ms")
                    $0.integer(lane.oldest)
                }
            }
        }
        json.key("content")
        json.object { content.writeMembers(to: &$0) }
        json.key("since_start")
        json.object {
            for count in counts {
                $0.key(count.name)
                $0.integer(count.value)
            }
        }
        json.key("figures")
        json.object { figures.writeMembers(to: &$0) }
    }

    /// Reads an answer of the coordinator; nil where it answers something else. Members that a newer one adds are
    /// left out.
    package init?(answer bytes: [UInt8]) {
        guard let health = try? JSONValue.parse(bytes)["health"], let posts = health["posts"]?.string else {
            return nil
        }
        func number(_ value: JSONValue?) -> Int? { value?.number?.integer }
        let reason = health["reason"]?.string.flatMap(BusyReason.init(rawValue:))
        self.init(
            busy: posts == "open" ? nil : reason ?? .journal,
            closed: health["closed_partitions"]?.array?.compactMap { number($0) },
            servedWorkers: number(health["served_workers"]), restarts: number(health["restarts"]) ?? 0,
            lanes: (health["lanes"]?.array ?? []).compactMap { lane in
                lane["lane"]?.string.map {
                    LaneLoad(lane: $0, open: number(lane["open"]) ?? 0, oldest: number(lane["oldest_ms"]) ?? 0)
                }
            },
            content: ContentStanding(
                forgotten: number(health["content"]?["forgotten"]) ?? 0,
                mostInOneFile: number(health["content"]?["most_in_one_file"]) ?? 0,
                unavailable: number(health["content"]?["unavailable"]) ?? 0),
            counts: (health["since_start"]?.object?.members ?? []).compactMap { member in
                number(member.value).map { Count(name: member.key, value: $0) }
            },
            figures: PoolFigures(health["figures"]))
    }
}
