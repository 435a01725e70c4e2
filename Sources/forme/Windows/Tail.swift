import FormeClientZMQ
import Transport
import Wire

extension Command {
    static let tail = Command(
        name: "tail",
        summary: "prints what happens in a conversation",
        usage: """
            usage: forme tail CONVERSATION [OPTIONS]

            \(WindowOptions.usage)
              --changes N          end after N sets of changes (default: never)
              --json               what the gateway says, as JSON, a line for each
            \(Place.usage)

            Prints the rows of a window, then every change of it, until it is interrupted. Where the gateway can tell the changes
            no longer, the window is opened and printed again.
            """
    ) { words in
        guard let conversation = words.first, !conversation.hasPrefix("-") else {
            throw Failure(.usage, "which conversation? Read: forme help tail")
        }
        let arguments = try Arguments(
            Array(words.dropFirst()), of: "tail", options: Place.options + WindowOptions.names + ["changes"],
            switches: ["json"])
        let opening = try WindowOptions(conversation, arguments).opening
        var left = try arguments.integer("changes", in: 1...Int.max, default: .max)
        var visit = try WindowVisit(opening, at: Place(arguments))
        let printer = WindowPrinter(isJSON: arguments.has("json"))
        try printer.tell(.window(visit.open()))
        while left > 0 {
            switch try visit.next(within: .seconds(1)) {
            case .changes(let set):
                try printer.tell(.changes(set))
                left -= 1
            case .refused: try printer.tell(.window(visit.open()))
            case let word?: try printer.tell(word)
            case nil: continue
            }
        }
    }
}

/// Prints what a gateway says, as it comes.
private struct WindowPrinter {
    let isJSON: Bool

    func tell(_ word: GatewayWord) throws {
        if isJSON { return print(String(decoding: try word.json(), as: UTF8.self)) }
        switch word {
        case .window(let reply): for line in try [WindowText.heading] + WindowText.lines(reply) { print(line) }
        case .changes(let set): for line in WindowText.lines(set) { print(line) }
        case .heights, .rows, .place, .adjusted, .done, .refused, .pending: break
        }
    }
}
