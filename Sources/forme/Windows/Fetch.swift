import FormeClient
import FormeClientZMQ
import MessageLayout
import Names
import Wire

extension Command {
    static let fetch = Command(
        name: "fetch",
        summary: "prints a window of a conversation, or all of its layouts",
        usage: """
            usage: forme fetch CONVERSATION [OPTIONS]

            \(WindowOptions.usage)
              --json               what the gateway says, as JSON, instead of a table
              --svg FILE           draw it into FILE, or with - to standard output
              --draft TEXT         the row of a message that is not posted, instead: a text, or the JSON of an event
            \(WindowSource.usage)
            \(Place.usage)

            usage: forme fetch [--conversation ID] [OPTIONS]

              --conversation ID    (default: demo)
              --target WIDTH@SCALE one of the style's targets (default: \(FetchTarget.standard))
              --variant NAME       one of the style's variants, such as own (default: its first)
              --state STATE        collapsed or expanded (default: collapsed)
              --json               one JSON object a line, instead of a table
              --style FILE         has the names of the variants (default: \(StyleOption.standard))
            \(Place.usage)
            """
    ) { words in
        if let first = words.first, !first.hasPrefix("-") { return try fetchWindow(of: first, words.dropFirst()) }
        let arguments = try Arguments(
            words, of: "fetch", options: Place.options + FetchOptions.names, switches: ["json"])
        let place = try Place(arguments)
        let options = try FetchOptions(arguments)
        var client = try Client(
            place.endpoints.fetch, access: place.calling(place.endpoints.fetch, as: "operator"))
        let rows = try client.fetchAll(options.query, within: .seconds(5))
        if !arguments.has("json") { print(ModelText.heading) }
        for row in rows {
            print(
                try arguments.has("json")
                    ? ModelText.json(row, state: options.state) : ModelText.table(row, state: options.state))
        }
    }
}

/// A window of a conversation, as it is now.
private func fetchWindow(of conversation: String, _ words: ArraySlice<String>) throws {
    let arguments = try Arguments(
        Array(words), of: "fetch", options: WindowSource.options + WindowOptions.names + ["svg", "draft"],
        switches: ["json"])
    let opening = try WindowOptions(conversation, arguments).opening
    let (file, isJSON) = (arguments.text("svg"), arguments.has("json"))
    let draft = arguments.text("draft").map { $0.hasPrefix("{") ? Draft(json: $0) : Draft(text: $0) }
    guard draft == nil || file == nil else { throw arguments.refusal("--svg draws windows, not drafts") }
    try WindowSource(arguments).visit(opening) { open in
        if let draft {
            let reply = try await open.preview(draft).reply
            if isJSON {
                return print(String(decoding: try GatewayWord.preview(opening.window, reply).json(), as: UTF8.self))
            }
            print(WindowText.heading)
            return print(WindowText.line(reply.row))
        }
        guard let reply = try await open.whole().reply(opening.window, screen: opening.screen) else { return }
        if let file {
            try OutputFile.write(WindowDrawing(reply, on: opening.target).page, to: file)
        } else if isJSON {
            print(String(decoding: try GatewayWord.window(reply).json(), as: UTF8.self))
        } else {
            print(WindowText.heading)
            for line in try WindowText.lines(reply) { print(line) }
        }
    }
}

/// What to fetch.
private struct FetchOptions {
    static let names = ["conversation", "target", "variant", "state", StyleOption.name]
    let query: Query
    let state: Int

    init(_ arguments: Arguments) throws {
        query = Query(
            conversation: try ConversationID(arguments.text("conversation") ?? "demo"),
            target: try FetchTarget.target(arguments), variant: UInt8(try Self.variant(arguments)))
        state = try arguments.choice("state", of: ["collapsed", "expanded"])
    }

    /// The first is the first without any style to look it up in.
    private static func variant(_ arguments: Arguments) throws -> Int {
        guard arguments.text("variant") != nil else { return 0 }
        return try arguments.choice("variant", of: StyleOption.style(arguments).variants)
    }
}

/// The target that readers ask for.
enum FetchTarget {
    static let standard = "390@3"

    static func target(_ arguments: Arguments) throws -> Target {
        let text = arguments.text("target") ?? standard
        guard let target = Target(text: text) else {
            throw arguments.refusal("--target takes WIDTH@SCALE, such as \(standard), not '\(text)'")
        }
        return target
    }
}
