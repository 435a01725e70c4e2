import Wire

extension PoolHealth {
    /// Writes the figures of the coordinator and of its workers for Prometheus: figures alone, which name no
    /// conversation and nobody.
    package func write(to text: inout MetricsText) {
        text.subject = Self.subject
        text.add("coordinator_up", .gauge, Self.upHelp, 1)
        text.add("posts_open", .gauge, Self.openHelp, busy == nil ? 1 : 0)
        text.add(
            "posts_busy", .gauge, "Why events are not taken.",
            BusyReason.allCases.map { .init([("reason", $0.rawValue)], busy == $0 ? 1 : 0) })
        text.add("served_workers", .gauge, "Workers of the edition that is served.", servedWorkers ?? 0)
        text.add(
            "coordinator_restarts", .gauge, "Times that forme serve started the coordinator again.", restarts)
        text.add(
            "open_jobs", .gauge, "Messages that are accepted and not laid out.",
            lanes.map { .init([("lane", $0.lane)], $0.open) })
        text.add(
            "oldest_job_seconds", .gauge, "How long the message waits that waits longest.",
            lanes.map { .init([("lane", $0.lane)], Double($0.oldest) / 1000) })
        text.add(
            "messages_without_content", .gauge,
            "Messages whose content is no longer kept: their rows are all that is left of them.", content.forgotten)
        text.add(
            "messages_unavailable", .gauge,
            "Messages that get no row until something newer is said of them: lost with a file of the cache, or given up by retention.",
            content.unavailable)
        for count in counts {
            let help = "Since the coordinator started: \(count.name.replacing("_", with: " "))."
            text.add("\(count.name)_total", .counter, help, count.value)
        }
        write(figures, to: &text)
    }

    /// Writes the figures of a coordinator that does not answer.
    package static func writeAbsence(to text: inout MetricsText) {
        text.subject = subject
        text.add("coordinator_up", .gauge, upHelp, 0)
        text.add("posts_open", .gauge, openHelp, 0)
    }

    private static let subject = "pool"
    private static let upHelp = "Whether the coordinator answers."
    private static let openHelp = "Whether events are taken."

    private func write(_ figures: PoolFigures, to text: inout MetricsText) {
        let answers = figures.answers
        text.add(
            "answers_total", .counter, "Events that were answered, by what they were answered.",
            [
                .init([("answer", "accepted")], answers.accepted), .init([("answer", "duplicate")], answers.duplicate),
                .init([("answer", "superseded")], answers.superseded),
            ])
        text.add(
            "refused_total", .counter, "Events that were refused, by the field that is wrong.",
            answers.refused.sorted { $0.key < $1.key }.map { .init([("field", $0.key)], $0.value) })
        text.add(
            "busy_total", .counter, "Events that were answered busy, by the reason.",
            answers.busy.sorted { $0.key < $1.key }.map { .init([("reason", $0.key)], $0.value) })
        text.add(
            "acknowledged_seconds", "From the turn in which an event was read to its answer.",
            [(labels: [], times: figures.acknowledged)])
        text.add(
            "ready_seconds", "From the acceptance of an event to its row, of events as they come.",
            [(labels: [], times: figures.ready)])
        write(figures.layouts, to: &text)
        figures.work.write(to: &text)
        if let left = figures.diskLeft {
            text.add("disk_left_bytes", .gauge, "Free where the folder is.", left)
        }
        func labels(_ process: PoolFigures.Process) -> [(name: String, value: String)] {
            [("kind", process.kind), ("process", "\(process.id)")]
        }
        text.add(
            "process_memory_bytes", .gauge, "Memory of a process of its own.",
            figures.processes.compactMap { process in process.memory.map { .init(labels(process), $0) } })
        text.add(
            "process_handles", .gauge, "Files and sockets that a process has open.",
            figures.processes.compactMap { process in process.handles.map { .init(labels(process), $0) } })
        text.add(
            "processor_seconds_total", .counter, "Time that a process had a processor for, by what it did.",
            figures.processes.flatMap { process in
                process.processor.map {
                    .init(labels(process) + [("stage", $0.name)], Double($0.microseconds) / 1_000_000)
                }
            })
    }

    private func write(_ layouts: LayoutFigures, to text: inout MetricsText) {
        text.add(
            "layouts_total", .counter, "Messages that were laid out, by their kind.",
            layouts.kinds.map { .init([("kind", $0.name)], $0.messages) })
        text.add(
            "layout_seconds_total", .counter, "Processor time of layout, by the kind of the message.",
            layouts.kinds.map { .init([("kind", $0.name)], Double($0.nanoseconds) / 1_000_000_000) })
        text.add(
            "cache_hits_total", .counter, "How often a worker found what it would have made, by where.",
            LayoutFigures.Layer.allCases.map { .init([("layer", $0.word)], layouts[$0].hits) })
        text.add(
            "cache_misses_total", .counter, "How often a worker looked for it and had to make it, by where.",
            LayoutFigures.Layer.allCases.map { .init([("layer", $0.word)], layouts[$0].misses) })
    }
}
