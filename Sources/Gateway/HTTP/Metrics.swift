import HTTP
import Operations
import Pool
import Wire

/// The figures of a gateway, as Prometheus reads them. They are sums alone, and name no conversation and no reader.
struct Metrics {
    /// Openings at the socket, and windows asked for over HTTP.
    var socket: AnswerTally
    var http: AnswerTally
    /// Times from the turn in which a question was read to its answer.
    var socketTimes: Latencies
    var httpTimes: Latencies
    /// Hits and misses of conversations in memory, and of the contents of their rows.
    var opened: CacheTally
    var drawn: CacheTally
    var rememberedBytes: Int
    var windows: Int
    var streams: Int
    var conversations: Int
    var conversationBytes: Int
    /// The figures of the coordinator; nil while it says nothing.
    var pool: PoolHealth?
    /// Requests that were turned away, by status.
    var refusals: [Int: Int] = [:]
    var unusableKeyFiles = 0

    init(_ windows: WindowDesk, pool: PoolHealth?) {
        (socket, http, socketTimes, httpTimes) = (windows.tally, AnswerTally(), windows.times, Latencies())
        (rememberedBytes, self.windows, streams) = (windows.rememberedBytes, windows.count, 0)
        (opened, drawn) = (windows.shelf.tally, windows.answers.cutter.tally)
        (conversations, conversationBytes, self.pool) = (windows.shelf.count, windows.shelf.bytes, pool)
    }

    var response: Response {
        var text = MetricsText(of: "gateway")
        text.add(
            "windows_answered_total", .counter, "Windows, made anew or given again as nothing had happened.",
            [("socket", socket), ("http", http)].flatMap { road, tally in
                [("again", tally.again), ("anew", tally.anew)].map { how, count in
                    .init([("road", road), ("how", how)], count)
                }
            })
        text.add(
            "answer_seconds", "From the turn in which a question was read to its answer.",
            [([("road", "socket")], socketTimes), ([("road", "http")], httpTimes)])
        let caches = [
            ("answers", CacheTally(hits: UInt64(socket.again + http.again), misses: UInt64(socket.anew + http.anew))),
            ("conversations", opened), ("rows", drawn),
        ]
        text.add(
            "cache_hits_total", .counter, "How often it was at hand, by what was looked for.",
            caches.map { .init([("layer", $0.0)], $0.1.hits) })
        text.add(
            "cache_misses_total", .counter, "How often it was not, by what was looked for.",
            caches.map { .init([("layer", $0.0)], $0.1.misses) })
        text.add("remembered_bytes", .gauge, "Of answers that are kept to be given again.", rememberedBytes)
        text.add("windows", .gauge, "Windows that clients have open.", windows)
        text.add("streams", .gauge, "Streams over HTTP that somebody hears.", streams)
        text.add("conversations", .gauge, "Conversations in memory, one for each screen and reader.", conversations)
        text.add("conversation_bytes", .gauge, "What these take, about.", conversationBytes)
        text.add(
            "restarts", .gauge, "Times that forme serve started this gateway again.", ServiceManager.restarts)
        text.add(
            "refused_total", .counter, "Requests that were turned away at their head, by status.",
            Set(refusals.keys).union([401, 403, 429]).sorted().map {
                .init([("status", "\($0)")], refusals[$0] ?? 0)
            })
        text.add(
            "key_files_unusable", .gauge, "Files of the keys of tokens that cannot be used.", unusableKeyFiles)
        let facts = ProcessFacts()
        if let memory = facts.memory { text.add("memory_bytes", .gauge, "Memory of its own.", memory) }
        if let handles = facts.handles {
            text.add("handles", .gauge, "Files and sockets that it has open.", handles)
        }
        if let pool { pool.write(to: &text) } else { PoolHealth.writeAbsence(to: &text) }
        var response = Response(200, "text/plain; version=0.0.4", Array(text.text.utf8))
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
