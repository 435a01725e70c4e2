import Console
import Drawing
import FormeClient
import FormeClientZMQ
import MessageLayout
import Names
import Wire

struct FetchCommand: Command {
    let name = "fetch"
    let summary = "prints a window of a conversation"
    let usage = """
        usage: forme fetch CONVERSATION [OPTIONS]

        \(WindowOptions.usage)
          --json               the gateway's answer as JSON, instead of a table
        \(PageOptions.usage)
          --draft TEXT         the row of a message that is not posted, instead: a text, or the JSON of an event
        \(WindowSource.usage)
        \(FontOption.usage), for --html and --svg
        \(Place.usage)

        A conversation that has nothing to show ends it with 1.

        example: forme fetch demo --target 390@3 --as ada --html chat.html
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: 1,
            options: WindowSource.options + WindowOptions.names + PageOptions.names + [FontOption.name, "draft"],
            switches: PageOptions.switches + ["json"])
        guard let conversation = arguments.operands.first else {
            throw arguments.refusal("fetch takes a CONVERSATION, such as demo")
        }
        try fetchWindow(of: conversation, arguments)
    }
}

/// A window of a conversation, as it is now.
private func fetchWindow(of conversation: String, _ arguments: Arguments) throws {
    let page = try PageOptions(arguments)
    var opening = try WindowOptions(conversation, arguments).opening
    // Words are drawn from the messages.
    if !page.isEmpty { opening.wantsMessages = true }
    // Missing files are reported before anything is asked.
    let (fonts, isJSON) = (page.isEmpty ? nil : try ListedFonts.open(arguments), arguments.has("json"))
    let draft = arguments.text("draft").map { $0.hasPrefix("{") ? Draft(json: $0) : Draft(text: $0) }
    guard draft == nil || page.isEmpty else { throw arguments.refusal("--html and --svg draw windows, not drafts") }
    try WindowSource(arguments).visit(opening) { [opening] open in
        if let draft {
            let reply = try await open.preview(draft).reply
            if isJSON {
                return print(String(decoding: try GatewayWord.preview(opening.window, reply).json(), as: UTF8.self))
            }
            print(WindowText.heading)
            return print(WindowText.line(reply.row))
        }
        guard let reply = try await open.whole().reply(opening.window, screen: opening.screen) else { return }
        // A window that is followed opens empty where there are no messages yet. A single fetch fails there, whether
        // the file for them is there or not.
        guard !reply.rows.isEmpty else { throw WindowError.unknownConversation }
        if let fonts {
            let rows = try WindowPicture.rows(of: reply, on: opening.target, for: opening.reader.viewer)
            try page.write("\(conversation) on \(opening.target.text)", [ChatPage.Screen("", rows)], fonts)
        } else if isJSON {
            print(String(decoding: try GatewayWord.window(reply).json(), as: UTF8.self))
        } else {
            print(WindowText.heading)
            for line in try WindowText.lines(reply) { print(line) }
        }
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
