package import JSON

extension EventAnswer {
    /// The answer to a request: one answer for each of its events. A request without events gets the limits of a
    /// request.
    ///
    /// It fits a frame: faults repeat what a producer sent, and a longer answer would end the connection of the one
    /// that waits for it, which at a gateway is the connection of all of its clients.
    ///
    /// - Parameter warnings: the warnings about accepted events, by the place of the event.
    package static func json(
        _ answers: some Collection<EventAnswer>, warnings: [Int: String] = [:], limits: RequestLimits
    ) -> [UInt8] {
        let whole = json(answers, warnings, limits, texts: .max)
        return whole.count <= Limits.frame ? whole : json(answers, warnings, limits, texts: shortText)
    }

    /// The most bytes of each text in an answer that would not fit otherwise: with these it does, whatever is in them
    /// and for as many events as a request may have.
    private static let shortText = 64

    private static func json(
        _ answers: some Collection<EventAnswer>, _ warnings: [Int: String], _ limits: RequestLimits, texts most: Int
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("answers")
            $0.array { list in
                if warnings.isEmpty {
                    for answer in answers { answer.write(to: &list, texts: most) }
                } else {
                    for (place, answer) in answers.enumerated() {
                        answer.write(warning: warnings[place], to: &list, texts: most)
                    }
                }
            }
            if answers.isEmpty { limits.write(to: &$0) }
        }
        return json.bytes
    }

    /// The answer to a request of which nothing is kept.
    package static func json(_ fault: RequestFault) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("error")
            $0.string(fault.reason.cut(toBytes: Limits.objection))
            fault.limits?.write(to: &$0)
        }
        return json.bytes
    }

    /// The answers, parsed on the fast path for nearly all replies: accepted, duplicate, superseded or busy. Nil where
    /// a reply says anything else.
    fileprivate static func plainAnswers(_ bytes: [UInt8]) -> [EventAnswer]? {
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
        var reason: BusyReason?
        let isPlain = skimmer.object { skimmer, key in
            if skimmer.says(key, "answer") {
                word = skimmer.string()
                return true
            }
            if skimmer.says(key, "reason") {
                reason = skimmer.string().flatMap { BusyReason(rawValue: $0) }
                return reason != nil
            }
            guard skimmer.says(key, "retryAfter") else { return false }
            wait = skimmer.integer()
            return wait.map { 0...3_600_000 ~= $0 } ?? false
        }
        guard isPlain else { return nil }
        switch (word, wait, reason) {
        case ("accepted", nil, nil): self = .accepted
        case ("duplicate", nil, nil): self = .duplicate
        case ("superseded", nil, nil): self = .superseded
        case ("busy", let wait?, let reason): self = .busy(retryAfter: wait, reason: reason)
        default: return nil
        }
    }

    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        let answer = try fields.required("answer")
        switch try answer.string() {
        case "accepted": self = .accepted
        case "duplicate": self = .duplicate
        case "superseded": self = .superseded
        case "busy":
            // An unknown reason comes from a later version, and is left out.
            let reason = try fields.optional("reason")?.string()
            self = .busy(
                retryAfter: try fields.required("retryAfter").integer(in: 0...3_600_000),
                reason: reason.flatMap { BusyReason(rawValue: $0) })
        case "invalid":
            self = .invalid(
                field: try fields.required("field").string(), reason: try fields.required("reason").string())
        default: throw answer.mismatch(expected: "an answer")
        }
    }

    private func write(warning: String?, to json: inout JSONWriter, texts most: Int) {
        guard let warning, self == .accepted else { return write(to: &json, texts: most) }
        json.object {
            $0.key("answer")
            $0.string("accepted")
            $0.key("warning")
            $0.string(warning.cut(toBytes: most))
        }
    }

    private func write(to json: inout JSONWriter, texts most: Int) {
        switch self {
        case .accepted: json.raw(#"{"answer":"accepted"}"#)
        case .duplicate: json.raw(#"{"answer":"duplicate"}"#)
        case .superseded: json.raw(#"{"answer":"superseded"}"#)
        case .invalid(let field, let reason):
            json.object {
                $0.key("answer")
                $0.string("invalid")
                $0.key("field")
                $0.string(field.cut(toBytes: most))
                $0.key("reason")
                $0.string(reason.cut(toBytes: most))
            }
        case .busy(let milliseconds, let reason):
            json.object {
                $0.key("answer")
                $0.string("busy")
                $0.key("retryAfter")
                $0.integer(milliseconds)
                if let reason {
                    $0.key("reason")
                    $0.string(reason.rawValue)
                }
            }
        }
    }
}

extension IngestReply {
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        if let plain = EventAnswer.plainAnswers(bytes) {
            self = .answered(plain)
            return
        }
        let fields = try JSONReader(JSONValue.parse(bytes)).object()
        let limits = try fields.optional("limits").map { (reader) throws(JSONError) in try RequestLimits(reader) }
        if let error = fields.optional("error") {
            self = .refused(RequestFault(reason: try error.string(), limits: limits))
            return
        }
        var answers: [EventAnswer] = []
        var warnings: [Int: String] = [:]
        for (place, element) in try fields.required("answers").elements().enumerated() {
            answers.append(try EventAnswer(element))
            warnings[place] = try element.object().optional("warning")?.string()
        }
        self = .answered(answers, warnings: warnings)
    }
}

extension RequestLimits {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        self.init(
            events: try fields.required("events").integer(in: 1 ... .max),
            bytes: try fields.required("bytes").integer(in: 1 ... .max))
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.key("limits")
        json.object {
            $0.key("events")
            $0.integer(events)
            $0.key("bytes")
            $0.integer(bytes)
        }
    }
}
