import FormeClientZMQ
import JSON
import Wire

extension Command {
    static let post = Command(
        name: "post",
        summary: "sends events to the coordinator",
        usage: """
            usage: forme post [OPTIONS] < events.jsonl
                   forme post [OPTIONS] --sample N

              --sample N           N messages in many scripts and of many kinds, instead of standard input
              --conversation ID    the conversation of the samples (default: demo)
            \(Place.usage)

            One JSON object a line: \(EventLine.fields.joined(separator: ", ")).
            body is the message: an object with its kind and the fields of that. text is short for the body of a plain one.
            revision is 1 where it is left out. Ends when the coordinator has all of them on disk. Posting the same again
            changes nothing.
            """
    ) { words in
        let arguments = try Arguments(words, of: "post", options: Place.options + ["sample", "conversation"])
        let place = try Place(arguments)
        let samples = try arguments.integer("sample", in: 1...1_000_000, default: 0)
        let conversation = try ConversationID(arguments.text("conversation") ?? "demo")
        var poster = Poster(
            client: try Client(
                place.endpoints.events, access: place.calling(place.endpoints.events, as: "operator")))
        if samples > 0 {
            for number in 0..<samples { try poster.post(Sample.event(number, in: conversation)) }
        } else {
            try poster.postStandardInput()
        }
        try poster.flush()
        print("posted \(poster.accepted) events; \(poster.repeated) were there before")
    }
}

/// Collects events into requests.
private struct Poster: ~Copyable {
    private var client: Client
    private var events: [Event] = []
    private(set) var accepted: UInt32 = 0
    private(set) var repeated: UInt32 = 0

    init(client: consuming Client) { self.client = client }

    mutating func postStandardInput() throws {
        var number = 0
        while let line = readLine() {
            number += 1
            let document = JSONDocument(name: "line \(number)", bytes: Array(line.utf8), dialect: .json)
            try post(document.read(EventLine.event))
        }
    }

    mutating func post(_ event: Event) throws {
        events.append(event)
        if events.count == Limits.eventsPerPost { try flush() }
    }

    mutating func flush() throws {
        guard !events.isEmpty else { return }
        let receipt = try client.post(events, within: .seconds(30))
        accepted += receipt.accepted
        repeated += receipt.repeated
        events = []
    }
}
