import Console
import MessageLayout
import Names
import Record
import Wire

/// The options of a window to open, which `fetch` and `tail` have in common.
struct WindowOptions {
    static let names = ["target", "around", "count", "as", "unread-from", "screen", "with"]
    static let usage = """
          --target WIDTH@SCALE any screen; 390@3,130 with a text scale in percent (default: \(FetchTarget.standard))
          --around PLACE       newest, unread, message:ID, date:MILLISECONDS or y:PIXELS (default: newest)
          --count N            rows (default: 50)
          --as SENDER          whose messages are own ones (default: nobody's)
          --unread-from ORDER  of the first message that was not read
          --with body          rows with their messages, as far as these are retained (shown with --json)
          --screen PIXELS      how high the screen is, in device pixels (default: \(standardScreen))
        """
    private static let standardScreen = WindowOpening.standardScreen

    let opening: WindowOpening

    init(_ conversation: String, _ arguments: Arguments) throws {
        let reader = WindowReader(
            own: try arguments.text("as").map { try arguments.name($0, of: "--as") },
            unreadFrom: try arguments.text("unread-from").map { text in
                guard let order = Int64(text) else {
                    throw arguments.refusal("--unread-from takes a number, not '\(text)'")
                }
                return order
            })
        opening = WindowOpening(
            window: WindowID(1), conversation: try arguments.name(conversation, of: "a CONVERSATION"),
            target: try FetchTarget.target(arguments), reader: reader,
            place: try WindowOptions.place(arguments.text("around") ?? "newest", arguments),
            count: try arguments.integer("count", in: 1...Limits.rowsPerPage, default: 50),
            screen: Int32(
                try arguments.integer(
                    "screen", in: 1...Int(Limits.screen), default: Int(WindowOptions.standardScreen))),
            wantsMessages: try arguments.text("with").map { word in
                guard word == "body" else { throw arguments.refusal("--with takes body, not '\(word)'") }
                return true
            } ?? false, wantsEditions: true, wantsUnavailable: true, rowVersion: .newest)
    }

    private static func place(_ text: String, _ arguments: Arguments) throws -> WindowPlace {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last, parts.count) {
        case ("newest", _, 1): return .newest
        case ("unread", _, 1): return .unread
        case ("message", let id?, 2): return .message(try arguments.name(id, of: "an ID of a message"))
        case ("date", let number?, 2):
            if let milliseconds = Int64(number) { return .date(Timestamp(milliseconds: milliseconds)) }
        case ("y", let number?, 2): if let y = Int64(number) { return .y(y) }
        default: break
        }
        throw arguments.refusal(
            "--around takes newest, unread, message:ID, date:MILLISECONDS or y:PIXELS, not '\(text)'")
    }
}
