package import JSON

extension EventAnswer {
    /// The answer to a request: one for each of its events.
    package static func json(_ answers: some Sequence<EventAnswer>) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("answers")
            $0.array { for answer in answers { answer.write(to: &$0) } }
        }
        return json.bytes
    }

    /// The answer to what is no request.
    package static func json(error: String) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("error")
            $0.string(error)
        }
        return json.bytes
    }

    package static func answers(parsing bytes: [UInt8]) throws(JSONError) -> [EventAnswer] {
        if let plain = plainAnswers(bytes) { return plain }
        let fields = try JSONReader(JSONValue.parse(bytes)).object(knownKeys: ["answers", "error"])
        if let error = fields.optional("error") {
            return [.invalid(field: "", reason: try error.string())]
        }
        var answers: [EventAnswer] = []
        for element in try fields.required("answers").elements() { answers.append(try EventAnswer(element)) }
        return answers
    }

    /// As nearly all come: accepted, or busy. Nil where anything else is said.
    private static func plainAnswers(_ bytes: [UInt8]) -> [EventAnswer]? {
        bytes.span.skimming { skimmer -> [EventAnswer]? in
            var answers: [EventAnswer] = []
            let isPlain = skimmer.object { skimmer, key in
                guard answers.isEmpty, skimmer.says(key, "answers") else { return false }
                return skimmer.array { skimmer in
                    guard let answer = EventAnswer(plainly: &skimmer) else { return false }
                    answers.append(answer)
                    return true
                }
            }
            return isPlain && !answers.isEmpty ? answers : nil
        }
    }

    private init?(plainly skimmer: inout JSONSkimmer) {
        var word: String?
        var wait: Int?
        let isPlain = skimmer.object { skimmer, key in
            if skimmer.says(key, "answer") {
                word = skimmer.string()
                return true
            }
            guard skimmer.says(key, "retryAfter") else { return false }
            wait = skimmer.integer()
            return wait.map { 0...3_600_000 ~= $0 } ?? false
        }
        guard isPlain else { return nil }
        switch (word, wait) {
        case ("accepted", nil): self = .accepted
        case ("duplicate", nil): self = .duplicate
        case ("superseded", nil): self = .superseded
        case ("busy", let wait?): self = .busy(retryAfter: wait)
        default: return nil
        }
    }

    private init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        let answer = try fields.required("answer")
        switch try answer.string() {
        case "accepted": self = .accepted
        case "duplicate": self = .duplicate
        case "superseded": self = .superseded
        case "busy": self = .busy(retryAfter: try fields.required("retryAfter").integer(in: 0...3_600_000))
        case "invalid":
            self = .invalid(
                field: try fields.required("field").string(), reason: try fields.required("reason").string())
        default: throw answer.mismatch(expected: "an answer")
        }
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .accepted: json.raw(#"{"answer":"accepted"}"#)
        case .duplicate: json.raw(#"{"answer":"duplicate"}"#)
        case .superseded: json.raw(#"{"answer":"superseded"}"#)
        case .invalid(let field, let reason):
            json.object {
                $0.key("answer")
                $0.string("invalid")
                $0.key("field")
                $0.string(field)
                $0.key("reason")
                $0.string(reason)
            }
        case .busy(let milliseconds):
            json.object {
                $0.key("answer")
                $0.string("busy")
                $0.key("retryAfter")
                $0.integer(milliseconds)
            }
        }
    }
}
