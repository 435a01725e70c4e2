import HTTP
import Operations
import Pool

/// What a gateway counts, as Prometheus reads it. Sums alone: they name no conversation and no reader.
struct Metrics {
    /// Openings at the socket, and windows asked for over HTTP.
    var socket: AnswerTally
    var http: AnswerTally
    var rememberedBytes: Int
    var windows: Int
    var streams: Int
    var conversations: Int
    var conversationBytes: Int
    /// Of the coordinator; nil while it says nothing.
    var pool: PoolHealth?
    /// Requests that were turned away, by status.
    var refusals: [Int: Int] = [:]
    var unusableKeyFiles = 0

    var response: Response {
        var text = MetricsText(process: "gateway")
        text.add(
            "windows_answered_total", "counter", "Windows, made anew or given again as nothing had happened.",
            [("socket", socket), ("http", http)].flatMap { road, tally in
                [("again", tally.again), ("anew", tally.anew)].map { how, count in
                    ("{road=\"\(road)\",how=\"\(how)\"}", count)
                }
            })
        text.add(
            "remembered_bytes", "gauge", "Of answers that are kept to be given again.", [("", rememberedBytes)])
        text.add("windows", "gauge", "Windows that clients have open.", [("", windows)])
        text.add("streams", "gauge", "Streams over HTTP that somebody hears.", [("", streams)])
        text.add(
            "conversations", "gauge", "Conversations in memory, one for each screen and reader.", [("", conversations)])
        text.add("conversation_bytes", "gauge", "What these take, about.", [("", conversationBytes)])
        text.add(
            "restarts", "gauge", "Times that forme serve started this gateway again.", [("", ServiceManager.restarts)])
        text.add(
            "refused_total", "counter", "Requests that were turned away at their head, by status.",
            Set(refusals.keys).union([401, 403, 429]).sorted().map { ("{status=\"\($0)\"}", refusals[$0] ?? 0) })
        text.add(
            "key_files_unusable", "gauge", "Files of the keys of tokens that cannot be used.", [("", unusableKeyFiles)])
        addPool(to: &text)
        var response = Response(200, "text/plain; version=0.0.4", Array(text.text.utf8))
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// What the coordinator says of itself and of its workers.
    private func addPool(to text: inout MetricsText) {
        text.process = "pool"
        func gauge(_ name: String, _ help: String, _ value: Int) { text.add(name, "gauge", help, [("", value)]) }
        gauge("coordinator_up", "Whether the coordinator answers.", pool == nil ? 0 : 1)
        gauge("posts_open", "Whether events are taken.", pool.map { $0.busy == nil ? 1 : 0 } ?? 0)
        guard let pool else { return }
        text.add(
            "posts_busy", "gauge", "Why events are not taken.",
            PoolHealth.BusyReason.allCases.map { ("{reason=\"\($0.rawValue)\"}", pool.busy == $0 ? 1 : 0) })
        gauge("served_workers", "Workers of the edition that is served.", pool.servedWorkers ?? 0)
        gauge("coordinator_restarts", "Times that forme serve started the coordinator again.", pool.restarts)
        text.add(
            "open_jobs", "gauge", "Messages that are accepted and not laid out.",
            pool.lanes.map { ("{lane=\"\($0.lane)\"}", $0.open) })
        text.add(
            "oldest_job_seconds", "gauge", "How long the message waits that waits longest.",
            pool.lanes.map { ("{lane=\"\($0.lane)\"}", Double($0.oldest) / 1000) })
        gauge(
            "messages_without_content",
            "Messages whose content is no longer kept: their rows are all that is left of them.",
            pool.content.forgotten)
        gauge(
            "messages_unavailable",
            "Messages that get no row until something newer is said of them: lost with a file of the cache, or given up by retention.",
            pool.content.unavailable)
        for count in pool.counts {
            let help = "Since the coordinator started: \(count.name.replacing("_", with: " "))."
            text.add("\(count.name)_total", "counter", help, [("", count.value)])
        }
    }
}

/// The text that Prometheus reads.
private struct MetricsText {
    var process: String
    private(set) var text = ""

    init(process: String) { self.process = process }

    mutating func add(
        _ name: String, _ type: String, _ help: String,
        _ values: [(labels: String, value: some CustomStringConvertible)]
    ) {
        let name = "forme_\(process)_\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in values { text += "\(name)\(labels) \(value)\n" }
    }
}
