import Console
import FormeClient
import Foundation
import Names
import Wire

struct TailCommand: Command {
    let name = "tail"
    let summary = "prints what happens in a conversation"
    let usage = """
        usage: forme tail CONVERSATION [OPTIONS]

        \(WindowOptions.usage)
          --changes N          end after N sets of changes (default: never)
          --json               the gateway's words as JSON, a line for each
        \(WindowSource.usage)
        \(Place.usage)

        Prints the rows of a window, then every change of it, until it is interrupted. Where the gateway can tell the changes
        no longer, the window is opened and printed again.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: 1, options: WindowSource.options + WindowOptions.names + ["changes"],
            switches: ["json"])
        guard let conversation = arguments.operands.first else {
            throw arguments.refusal("tail takes a CONVERSATION, such as demo")
        }
        let opening = try WindowOptions(conversation, arguments).opening
        let most = try arguments.integer("changes", in: 1...Int.max, default: .max)
        let printer = WindowPrinter(isJSON: arguments.has("json"), screen: opening.screen)
        try WindowSource(arguments).visit(opening) { open in
            var left = most
            for try await update in open.updates {
                left -= try printer.tell(update)
                if left <= 0 { return }
            }
        }
    }
}

/// Prints the words of a gateway as they come.
private struct WindowPrinter: Sendable {
    let isJSON: Bool
    let screen: Int32

    /// - Returns: the number of sets of changes.
    func tell(_ update: Update) throws -> Int {
        // Where all rows are new, they are printed as they are now.
        if update.isWhole, let reply = update.window.reply(WindowID(1), screen: screen) {
            try tell(.window(reply))
            return 0
        }
        for word in update.words { try tell(word) }
        return update.words.count { if case .changes = $0 { true } else { false } }
    }

    private func tell(_ word: GatewayWord) throws {
        if isJSON { return try say([String(decoding: try word.json(), as: UTF8.self)]) }
        switch word {
        case .window(let reply): try say([WindowText.heading] + WindowText.lines(reply))
        case .changes(let set): try say(WindowText.lines(set))
        case .unavailable(_, let message, _):
            try say(["\(message.text.visible) is unavailable: it has no row, and none is on its way"])
        case .heights, .rows, .place, .adjusted, .done, .refused, .pending, .preview, .rejected, .ranges, .unreadable:
            break
        }
    }

    /// Prints at once, also to a file or to another program.
    private func say(_ lines: [String]) throws(Failure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
        } catch {
            throw Failure(.inputOutput, "standard output cannot be written; check the disk that it goes to")
        }
    }
}
