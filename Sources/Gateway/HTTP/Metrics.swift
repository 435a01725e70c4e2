import HTTP

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

    var response: Response {
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: Int)]) {
            text += "# HELP forme_gateway_\(name) \(help)\n# TYPE forme_gateway_\(name) \(type)\n"
            for (labels, value) in values { text += "forme_gateway_\(name)\(labels) \(value)\n" }
        }
        add(
            "windows_answered_total", "counter", "Windows, made anew or given again as nothing had happened.",
            [("socket", socket), ("http", http)].flatMap { road, tally in
                [("again", tally.again), ("anew", tally.anew)].map { how, count in
                    ("{road=\"\(road)\",how=\"\(how)\"}", count)
                }
            })
        add(
            "remembered_bytes", "gauge", "Of answers that are kept to be given again.", [("", rememberedBytes)])
        add("windows", "gauge", "Windows that clients have open.", [("", windows)])
        add("streams", "gauge", "Streams over HTTP that somebody hears.", [("", streams)])
        add(
            "conversations", "gauge", "Conversations in memory, one for each screen and reader.", [("", conversations)])
        add("conversation_bytes", "gauge", "What these take, about.", [("", conversationBytes)])
        var response = Response(200, "text/plain; version=0.0.4", Array(text.utf8))
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
