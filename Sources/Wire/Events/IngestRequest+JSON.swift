package import JSON
package import Names

extension IngestRequest {
    /// - Parameter limit: the number of events that one request may hold.
    package init(parsing bytes: [UInt8], eventLimit limit: Int = Limits.eventsPerRequest) throws(JSONError) {
        if let plain = IngestRequest(plainly: bytes, eventLimit: limit) {
            self = plain
        } else {
            try self.init(carefully: bytes, eventLimit: limit)
        }
    }

    /// The slow path: reads a request in any spelling, and reports its faults.
    init(carefully bytes: [UInt8], eventLimit limit: Int) throws(JSONError) {
        let root = JSONReader(try JSONValue.parse(bytes))
        guard try root.object().optional("events") != nil else {
            self.init(events: [Self.event(root)])
            isBare = true
            return
        }
        let fields = try root.object(knownKeys: ["events", "lane", "subject"])
        let elements = try fields.required("events").elements()
        guard elements.count <= limit else {
            throw try fields.required("events").mismatch(expected: "at most \(limit) events")
        }
        let lane = try fields.optional("lane")?.choice(["live": Lane.live, "backfill": .backfill])
        let subject: SenderID? = try fields.optional("subject")?.name()
        self.init(lane: lane ?? .live, subject: subject, events: elements.map(Self.event))
    }

    private static func event(_ reader: JSONReader) -> Result<ChatEvent, EventFault> {
        do throws(JSONError) {
            return .success(try ChatEvent(reader))
        } catch {
            return .failure(EventFault(error))
        }
    }

    /// The JSON of a request, as producers send it.
    package static func json(
        _ events: some Sequence<MessageEvent>, lane: Lane = .live, subject: SenderID? = nil
    ) -> [UInt8] {
        json(of: events.map { ChatEvent.message($0) }, lane: lane, subject: subject)
    }

    /// The JSON of a request with events of any sort.
    package static func json(of events: [ChatEvent], lane: Lane = .live, subject: SenderID? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("events")
            $0.array { for event in events { event.write(to: &$0) } }
            if lane == .backfill {
                $0.key("lane")
                $0.string("backfill")
            }
            if let subject {
                $0.key("subject")
                $0.string(subject.text)
            }
        }
        return json.bytes
    }
}

extension EventFault {
    /// The fault of an event. Its field leaves out the place of the event in the request, which the place of the
    /// answer tells already.
    package init(_ error: JSONError) {
        var path = error.path.description
        if path.hasPrefix("events["), let end = path.firstIndex(of: "]") {
            path = String(path[path.index(after: end)...].drop { $0 == "." })
        }
        self.init(field: path, reason: "\(error.problem)")
    }
}
