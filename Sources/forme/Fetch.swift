import FormeClientZMQ
import MessageLayout
import Wire

extension Command {
    static let fetch = Command(
        name: "fetch",
        summary: "prints the finished models of a conversation",
        usage: """
            usage: forme fetch [OPTIONS]

              --conversation ID    (default: demo)
              --target WIDTH@SCALE (default: 280@2)
              --json               one JSON object a line, instead of a table
            \(Place.usage)
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "fetch", options: Place.options + ["conversation", "target"], switches: ["json"])
        let place = try Place(arguments)
        let text = arguments.text("target") ?? "280@2"
        guard let target = TargetOption.target(text) else {
            throw arguments.refusal("--target takes WIDTH@SCALE, such as 280@2, not '\(text)'")
        }
        let conversation = try ConversationID(arguments.text("conversation") ?? "demo")
        var client = try Client(place.endpoints.fetch)
        let rows = try client.fetchAll(Query(conversation: conversation, target: target), within: .seconds(5))
        if !arguments.has("json") { print(ModelText.heading) }
        for row in rows { print(try arguments.has("json") ? ModelText.json(row) : ModelText.table(row)) }
    }
}
