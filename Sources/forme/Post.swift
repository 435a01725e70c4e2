import FormeClientZMQ
import Wire

extension Command {
    static let post = Command(
        name: "post",
        summary: "sends events to the coordinator",
        usage: """
            usage: forme post [OPTIONS] --sample N

              --sample N           N messages in many scripts
              --conversation ID    the conversation of the samples (default: demo)
            \(Place.usage)

            Ends when the coordinator has all of them on disk. Posting the same again changes nothing.
            """
    ) { words in
        let arguments = try Arguments(words, of: "post", options: Place.options + ["sample", "conversation"])
        let place = try Place(arguments)
        _ = try arguments.required("sample")
        let count = try arguments.integer("sample", in: 1...1_000_000, default: 1)
        let conversation = try ConversationID(arguments.text("conversation") ?? "demo")
        var client = try Client(place.endpoints.events)
        var accepted: UInt32 = 0
        var repeated: UInt32 = 0
        for start in stride(from: 0, to: count, by: Limits.eventsPerPost) {
            let events = try Sample.events(start..<min(count, start + Limits.eventsPerPost), in: conversation)
            let receipt = try client.post(events, within: .seconds(30))
            accepted += receipt.accepted
            repeated += receipt.repeated
        }
        print("posted \(accepted) events; \(repeated) were there before")
    }
}
