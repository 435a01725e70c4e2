import JSON
package import Wire

/// The counts and measurements of a coordinator since it started, beside queues: for charts and alerts.
package struct PoolFigures: Equatable, Sendable {
    package var answers = EventTally()
    /// The times from the turn in which an event was read to its answer.
    package var acknowledged = Latencies()
    /// The times from the acceptance of a live event to its row.
    package var ready = Latencies()
    /// The layouts that workers made since then, wherever they are.
    package var layouts = LayoutFigures()
    package var work = PoolWork()
    /// The coordinator, and the workers of its machine.
    package var processes: [Process] = []
    /// The bytes that are free where the folder is; nil where nobody knows.
    package var diskLeft: Int?

    package struct Process: Equatable, Sendable {
        package var kind: String
        package var id: Int32
        /// The bytes of its own in memory, and the files and sockets that it has open; nil where it is not seen from
        /// here.
        package var memory: Int?
        package var handles: Int?
        /// The microseconds that it had a processor for, by stage.
        package var processor: [Stage]

        package init(kind: String, id: Int32, memory: Int?, handles: Int?, processor: [Stage]) {
            (self.kind, self.id, self.memory, self.handles) = (kind, id, memory, handles)
            self.processor = processor
        }
    }

    package struct Stage: Equatable, Sendable {
        package var name: String
        package var microseconds: Int
    }

    package init() {}
}

extension PoolFigures.Process {
    /// Makes the figures of a process, without stages in which nothing was done: these are of other processes.
    package init(kind: String, id: Int32, memory: Int?, handles: Int?, times: StageTimes) {
        self.init(
            kind: kind, id: id, memory: memory, handles: handles,
            processor: StageTimes.Stage.allCases.filter { times[$0] > 0 }.map {
                .init(name: $0.word, microseconds: Int(times[$0] / 1000))
            })
    }
}

// The figures as the coordinator says them.
extension PoolFigures {
    func writeMembers(to json: inout JSONWriter) {
        json.key("answers")
        json.object { answers.writeMembers(to: &$0) }
        json.key("acknowledged")
        json.object { acknowledged.writeMembers(to: &$0) }
        json.key("ready")
        json.object { ready.writeMembers(to: &$0) }
        json.key("kinds")
        json.array { for kind in layouts.kinds { kind.write(to: &$0) } }
        json.key("caches")
        json.array { for layer in LayoutFigures.Layer.allCases { layouts[layer].write(layer, to: &$0) } }
        json.key("work")
        json.object { work.writeMembers(to: &$0) }
        json.key("processes")
        json.array { for process in processes { process.write(to: &$0) } }
        json.key("disk_left_bytes")
        if let diskLeft { json.integer(diskLeft) } else { json.null() }
    }

    /// Reads figures; a missing one is as at the start.
    init(_ json: JSONValue?) {
        self.init()
        guard let json else { return }
        answers = EventTally(json["answers"])
        acknowledged = Latencies(json["acknowledged"]) ?? acknowledged
        ready = Latencies(json["ready"]) ?? ready
        for kind in (json["kinds"]?.array ?? []).compactMap({ LayoutFigures.Kind($0) }) { layouts.add(kind) }
        for cache in json["caches"]?.array ?? [] {
            guard let layer = LayoutFigures.Layer.allCases.first(where: { $0.word == cache["layer"]?.string }) else {
                continue
            }
            layouts[layer] = .init(hits: cache["hits"].count, misses: cache["misses"].count)
        }
        work = json["work"].map { PoolWork($0) } ?? work
        processes = (json["processes"]?.array ?? []).compactMap { Process($0) }
        diskLeft = json["disk_left_bytes"]?.number?.integer
    }
}

extension PoolFigures.Process {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("kind")
            $0.string(kind)
            $0.key("process")
            $0.integer(id)
            $0.key("memory_bytes")
            if let memory { $0.integer(memory) } else { $0.null() }
            $0.key("handles")
            if let handles { $0.integer(handles) } else { $0.null() }
            $0.key("microseconds")
            $0.object {
                for stage in processor {
                    $0.key(stage.name)
                    $0.integer(stage.microseconds)
                }
            }
        }
    }

    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string, let id = json["process"]?.number?.integer else { return nil }
        self.init(
            kind: kind, id: Int32(truncatingIfNeeded: id), memory: json["memory_bytes"]?.number?.integer,
            handles: json["handles"]?.number?.integer,
            processor: (json["microseconds"]?.object?.members ?? []).map {
                .init(name: $0.key, microseconds: $0.value.number?.integer ?? 0)
            })
    }
}

extension LayoutFigures.Kind {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("kind")
            $0.string(name)
            $0.key("messages")
            $0.integer(Int(clamping: messages))
            $0.key("microseconds")
            $0.integer(Int(clamping: nanoseconds / 1000))
        }
    }

    fileprivate init?(_ json: JSONValue) {
        guard let name = json["kind"]?.string else { return nil }
        self.init(
            name, messages: json["messages"].count,
            nanoseconds: min(json["microseconds"].count, UInt64.max / 1000) * 1000)
    }
}

extension CacheTally {
    fileprivate func write(_ layer: LayoutFigures.Layer, to json: inout JSONWriter) {
        json.object {
            $0.key("layer")
            $0.string(layer.word)
            $0.key("hits")
            $0.integer(Int(clamping: hits))
            $0.key("misses")
            $0.integer(Int(clamping: misses))
        }
    }
}

extension JSONValue? {
    fileprivate var count: UInt64 { UInt64(clamping: self?.number?.integer ?? 0) }
}

extension EventTally {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        for (name, count) in [("accepted", accepted), ("duplicate", duplicate), ("superseded", superseded)] {
            json.key(name)
            json.integer(count)
        }
        for (name, counts) in [("refused", refused), ("busy", busy)] {
            json.key(name)
            json.object {
                for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
                    $0.key(reason)
                    $0.integer(count)
                }
            }
        }
    }

    fileprivate init(_ json: JSONValue?) {
        func number(_ name: String) -> Int { json?[name]?.number?.integer ?? 0 }
        func counts(_ name: String) -> [String: Int] {
            let members = json?[name]?.object?.members ?? []
            return Dictionary(members.map { ($0.key, $0.value.number?.integer ?? 0) }) { $1 }
        }
        self.init(
            accepted: number("accepted"), duplicate: number("duplicate"), superseded: number("superseded"),
            refused: counts("refused"), busy: counts("busy"))
    }
}
