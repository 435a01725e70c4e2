import HTTP
import Secrets

/// The table of all routes.
extension HTTPEndpoint {
    var route: HTTPRoute {
        switch self {
        case .live:
            HTTPRoute(
                endpoint: self, method: .get, template: "/livez", need: .nothing,
                summary: "Whether the gateway's loop turns", parameters: [],
                answers: [.init(200, "It does", "application/json", .named("Health"))])
        case .ready:
            HTTPRoute(
                endpoint: self, method: .get, template: "/readyz", need: .nothing,
                summary: "Whether the gateway can answer what it is there for, and whether events are taken",
                parameters: [
                    .init(
                        name: "for", place: .query,
                        summary: "\(Health.posts): not ready, too, where events are answered busy",
                        shape: .text(pattern: "^\(Health.posts)$"))
                ],
                answers: [
                    .init(
                        200, "Readers are answered; degraded where events are not taken just now", "application/json",
                        .named("Health")),
                    .init(
                        503, "Not now; the port for operators has the reasons", "application/json", .named("Health")),
                ])
        case .description:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/openapi.json", need: .nothing,
                summary: "This description", parameters: [],
                answers: [
                    .init(
                        200, "OpenAPI 3.1", "application/json",
                        .object([("openapi", .text()), ("paths", .table(.anything))], isOpen: true)),
                    .init(304, "The client has it"),
                ])
        case .fonts:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/fonts", need: .token(.read),
                summary:
                    "The fonts that texts were measured with, in the order in which they are asked for a character",
                parameters: [],
                answers: [
                    .init(
                        200,
                        "Each with its file, its characters and its licence; and what else a client sets, so that lines come out as they were measured",
                        "application/json",
                        .object([("fonts", .list(.named("Font"))), ("settings", .named("FontSettings"))])),
                    .init(304, "The client has it"),
                ])
        case .font:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/fonts/{hash}", need: .token(.read),
                summary: "A font of the list, so that a client draws with the file that was measured",
                parameters: [Self.fontHash],
                answers: [
                    .init(200, "The file, for ever the same", "font/*"),
                    .init(206, "The part of it that was asked for", "font/*"),
                    .init(304, "The client has it"), .problem(404, "It is not of this service"),
                    .problem(416, "It has no such part"),
                ])
        case .licence:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/fonts/{hash}/licence", need: .token(.read),
                summary: "Under which licence a font may be passed on", parameters: [Self.fontHash],
                answers: [
                    .init(200, "The text that comes with it", "text/plain"), .init(304, "The client has it"),
                    .problem(404, "The font is not of this service, or the list of fonts names no licence for it"),
                ])
        case .conversations:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/conversations", need: .token(.read),
                summary: "The conversations that the token covers, those first in which something was said last",
                parameters: [
                    Self.listCount, Self.listReader,
                    .init(
                        name: "after", place: .query, summary: "next of the page before, for the same token",
                        shape: .text(pattern: ListCursor.pattern)),
                ],
                answers: [
                    .init(
                        200, "A page; next is there where there are more", "application/json",
                        .named("ConversationList")),
                    .problem(400, "The request cannot be read"),
                    .problem(409, "after is not of this list for the same token; begin with the first page"),
                    .problem(404, "The gateway does not see the journal"),
                    .problem(503, "Busy: the list is on its way into memory; try again soon"),
                ])
        case .listChanges:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/conversations/changes", need: .token(.read),
                summary:
                    "The first page of the list, and then every conversation of it that changes, as Server-Sent Events",
                parameters: [Self.listCount, Self.listReader],
                answers: [
                    .init(
                        200,
                        "Events: conversations, the first page; changed, some conversations as they are now; refused, at the end",
                        "text/event-stream", .named("SentList")),
                    .problem(404, "The gateway does not see the journal"),
                    .problem(503, "Busy: the list is on its way into memory; try again soon"),
                ])
        case .window:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/conversations/{conversation}/window", need: .token(.read),
                summary: "Rows of a conversation for one screen, with their places and what is drawn in them",
                parameters: Self.screen.filter { $0.name != "with" } + [
                    Self.withRuns, Self.around,
                    .init(
                        name: "beside", place: .query,
                        summary: "older:ROW or newer:ROW: rows at this side of a row, which is named by its number",
                        shape: .text(pattern: "^(older|newer):[0-9]{1,18}$"), example: "older:77"),
                    .init(
                        name: "lines", place: .query,
                        summary:
                            "ROW:MARK:FROM:COUNT: lines of a row that came as an excerpt, whose mark it has; the answer is this row",
                        shape: .text(pattern: "^[0-9]{1,18}:[0-9a-f]{16}:[0-9]{1,6}:[0-9]{1,6}$"),
                        example: "77:00c0ffee00c0ffee:0:80"),
                ],
                answers: [
                    .init(
                        200,
                        "A window: as many rows around the place, or beside the row, as fit. It has hasOlder and hasNewer; ask on with beside",
                        "application/json", .named("WindowAnswer"), isAlsoFramed: true),
                    .init(304, "The client has it"),
                ]
                    + Self.refusals)
        case .heights:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/conversations/{conversation}/heights", need: .token(.read),
                summary: "Heights of all rows that reach into a range of y, without anything else",
                parameters: Self.screen + [
                    .init(
                        name: "from", place: .query, summary: "A y, in device pixels", shape: Self.distance,
                        isRequired: true, example: "-10000"),
                    .init(
                        name: "to", place: .query, summary: "A y below it", shape: Self.distance, isRequired: true,
                        example: "10000"),
                ],
                answers: [
                    .init(
                        200, "Heights, the uppermost first", "application/json", .named("TellHeights"),
                        isAlsoFramed: true)
                ] + Self.refusals)
        case .place:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/conversations/{conversation}/place", need: .token(.read),
                summary: "Which row is at a y, or where a message is",
                parameters: Self.screen + [
                    .init(
                        name: "around", place: .query, summary: "message:ID or y:PIXELS",
                        shape: .text(pattern: "^(message:\(ParameterPattern.name)|y:\(ParameterPattern.wide))$"),
                        isRequired: true,
                        example: "message:m7")
                ],
                answers: [
                    .init(
                        200, "A row and its place, or that the message is not laid out yet", "application/json",
                        .named("PlaceAnswer"), isAlsoFramed: true)
                ] + Self.refusals)
        case .changes:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/conversations/{conversation}/changes", need: .token(.read),
                summary:
                    "A window, and then every change of it and of others that are opened in the stream, as Server-Sent Events",
                parameters: Self.screen + [
                    Self.around,
                    .init(
                        name: "window", place: .query,
                        summary: "The number of the window that the query describes; 1 where it is not said",
                        shape: .number(1...Int(UInt32.max)), example: "1"),
                    .init(
                        name: "Last-Event-ID", place: .header,
                        summary: "The last event that arrived on a stream before",
                        shape: .text()),
                ],
                answers: [
                    .init(
                        200, "Events: window, changes, refused, and answers to words, each a word as data",
                        "text/event-stream", .named("Sent"), isAlsoFramed: true)
                ] + Self.refusals)
        case .words:
            HTTPRoute(
                endpoint: self, method: .post, template: "/v1/conversations/{conversation}/streams/{stream}",
                need: .token(.read),
                summary:
                    "Says a word about a window of a stream, or opens another in it; the answer comes in the stream",
                parameters: [
                    // The conversation of the stream's own request, whatever windows it has.
                    Self.conversation,
                    .init(
                        name: "stream", place: .path, summary: "As the field Forme-Stream of its head names it",
                        shape: .text(pattern: "^[0-9a-f]{1,16}$")),
                ],
                answers: [
                    .init(202, "Heard"),
                    .problem(
                        403,
                        "The tokens of the stream and of the word do not both cover the conversation that is opened"),
                    .problem(404, "There is no such stream, as far as the bearer may know"),
                    .problem(409, "Nobody hears the stream; take it up first"), .problem(413, "More than 64 KiB"),
                    .problem(503, "Busy; try again soon"),
                ], body: .named("Word"))
        case .preview:
            HTTPRoute(
                endpoint: self, method: .post, template: "/v1/conversations/{conversation}/preview",
                need: .token([.read, .write]),
                summary:
                    "The row of a message that is not posted, as the newest of the conversation on one screen; nothing is kept",
                parameters: Self.screen,
                answers: [
                    .init(
                        200, "The row, and rows beside it that would look otherwise", "application/json",
                        .named("TellPreview"), isAlsoFramed: true),
                    .problem(400, "The draft would not be accepted, or the request cannot be read"),
                    .problem(409, "A newer draft for the same window came before this one had its turn"),
                    .problem(413, "More than 32 KiB"),
                    .problem(415, "Not application/json, where nobody is asked for a token"),
                ] + Self.refusals, body: .named("Draft"))
        case .ranges:
            HTTPRoute(
                endpoint: self, method: .post, template: "/v1/conversations/{conversation}/ranges",
                need: .token(.read),
                summary:
                    "Where stretches of a row's texts are, where carets stand and what is at points, for selections and search hits",
                parameters: Self.screen,
                answers: [
                    .init(
                        200,
                        "Rectangles, carets and hits; the row as it is, if its mark is another; or that the message has no row",
                        "application/json", .named("RangesAnswer"), isAlsoFramed: true),
                    .problem(400, "The row has no such text, or the text no such place, or the request cannot be read"),
                    .problem(413, "More than 64 KiB"),
                ] + Self.refusals, body: .named("RangesQuestion"))
        case .events:
            HTTPRoute(
                endpoint: self, method: .post, template: "/v1/conversations/{conversation}/events",
                need: .token(.write),
                summary: "Has events of the conversation kept; answered when they are on disk",
                parameters: [Self.conversation],
                answers: [
                    .init(200, "What became of each event, in their order", "application/json", .named("Answers")),
                    .init(
                        400, "The request cannot be read, and nothing of it is kept",
                        [("application/problem+json", .named("Problem")), ("application/json", .named("Fault"))]),
                    .problem(404, "Events are not taken here"), .problem(413, "More than 1 MiB"),
                    .problem(415, "Not application/json, where nobody is asked for a token"),
                    .problem(503, "Busy, or the coordinator does not answer"),
                ], body: .named("Events"))
        case .script:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/forme.js", need: .nothing,
                summary: "A client for browsers, as one module: windows of conversations, decoded and followed",
                parameters: [],
                answers: [.init(200, "JavaScript", "text/javascript"), .init(304, "The client has it")])
        case .rowScript:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/forme-rows.js", need: .nothing,
                summary: "What draws the rows of that client in a browser, as one module", parameters: [],
                answers: [.init(200, "JavaScript", "text/javascript"), .init(304, "The client has it")])
        case .scriptFile:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/forme/{part}", need: .nothing,
                summary:
                    "Either by the hash of its bytes, to be kept for ever, and what leads from it to its sources",
                parameters: [
                    .init(
                        name: "part", place: .path, summary: "A hash, and .js or .js.map",
                        shape: .text(pattern: "^[0-9a-f]{16}[.]js([.]map)?$"))
                ],
                answers: [
                    .init(200, "The file", [("text/javascript", nil), ("application/json", .anything)]),
                    .init(304, "The client has it"), .problem(404, "It is not of this service"),
                ])
        case .page:
            HTTPRoute(
                endpoint: self, method: .get, template: "/", need: .nothing,
                summary: "A chat", parameters: [], answers: [.init(200, "A page", "text/html")])
        case .proof:
            HTTPRoute(
                endpoint: self, method: .get, template: "/proof", need: .nothing,
                summary: "Rows beside what the browser itself makes of them", parameters: [],
                answers: [.init(200, "A page", "text/html")])
        case .pageFile:
            HTTPRoute(
                endpoint: self, method: .get, template: "/pages/{part}", need: .nothing,
                summary: "A file that pages need", parameters: [], answers: [.init(200, "The file", "text/*")])
        case .folderFile:
            HTTPRoute(
                endpoint: self, method: .get, template: "/web/{folder}/{part}", need: .nothing,
                summary: "A file of the folder that is worked on", parameters: [],
                answers: [.init(200, "The file", "text/*")])
        case .folderChanges:
            HTTPRoute(
                endpoint: self, method: .get, template: "/web/changes", need: .nothing,
                summary: "When each file of that folder was written, and what is wrong with a style", parameters: [],
                answers: [.init(200, "Milliseconds by file, and sentences", "application/json")])
        }
    }

    private static let fontHash = HTTPRoute.Parameter(
        name: "hash", place: .path, summary: "The BLAKE2b-256 of the file", shape: .text(pattern: "^[0-9a-f]{64}$"))
    private static let conversation = HTTPRoute.Parameter(
        name: "conversation", place: .path, summary: "Its name", shape: .text(pattern: "^\(ParameterPattern.name)$"),
        example: "c1")
    private static let listCount = HTTPRoute.Parameter(
        name: "count", place: .query, summary: "Conversations of a page", shape: .number(1...ConversationPages.most),
        example: "50")
    private static let listReader = HTTPRoute.Parameter(
        name: "as", place: .query, summary: "Whose unread messages are counted, where no token says it",
        shape: .text(pattern: "^\(ParameterPattern.name)$"), example: "ada")
    private static let distance = JSONShape.number(Int.min ... .max)

    private static let around = HTTPRoute.Parameter(
        name: "around", place: .query, summary: "newest, unread, message:ID, date:MILLISECONDS or y:PIXELS",
        shape: .text(pattern: ParameterPattern.around),
        example: "newest")

    /// The parameters of every question about a window.
    private static let screen: [HTTPRoute.Parameter] = [
        conversation,
        .init(
            name: "target", place: .query,
            summary: "A row's width in points, device pixels to a point, a text scale in percent, what is mirrored",
            shape: .text(pattern: ParameterPattern.target), isRequired: true, example: "390@3"),
        .init(
            name: "count", place: .query, summary: "Rows; large ones may be fewer, one at least",
            shape: .number(1...256), example: "50"),
        .init(
            name: "screen", place: .query, summary: "The height of the screen, in device pixels",
            shape: .number(1...1 << 20), example: "2532"),
        .init(
            name: "as", place: .query, summary: "Whose messages are own ones, where no token says it",
            shape: .text(pattern: "^\(ParameterPattern.name)$"), example: "ada"),
        .init(
            name: "unreadFrom", place: .query, summary: "The order of the first message that was not read",
            shape: .number(Int.min ... .max), example: "7"),
        .init(
            name: "reader", place: .query,
            summary:
                "As JSON: own, unreadFrom, zone, clock, whether the conversation is a direct one, whether rows are being selected. Here in this order, without a space but behind commas and colons; any order will do, and so will its bytes in hexadecimal",
            shape: .text(pattern: ParameterPattern.reader), example: #"{"zone":{"offset":19800},"clock":"24"}"#),
        .init(
            name: "bodies", place: .query, summary: "no: rows without what is drawn in them",
            shape: .text(pattern: "^(yes|no)$"), example: "yes"),
        .init(
            name: "with", place: .query,
            summary:
                "body: rows with their messages, as far as these are retained; fonts: with the hashes of the files that their texts are drawn with; or both",
            shape: .text(pattern: "^(body|fonts|body,fonts)$"), example: "body"),
        .init(
            name: "editions", place: .query,
            summary:
                "yes: in frames, too, rows name their edition where it is not the window's; in JSON they always do",
            shape: .text(pattern: "^yes$")),
        .init(
            name: "unavailable", place: .query,
            summary: "yes: in frames, too, a message that has no row and gets none is unavailable, not pending",
            shape: .text(pattern: "^yes$")),
    ]

    /// The parameter `with` for windows.
    private static let withRuns = HTTPRoute.Parameter(
        name: "with", place: .query,
        summary:
            "body: rows with their messages, as far as these are retained; runs: in JSON, lines with the runs of fonts and directions that they are made of; fonts: rows with the hashes of the files that their texts are drawn with; or several, in this order",
        shape: .text(pattern: "^(body|runs|fonts|body,runs|body,fonts|runs,fonts|body,runs,fonts)$"),
        example: "body,fonts")

    private static let refusals: [HTTPRoute.Said] = [
        .problem(
            404, "There is no such conversation, message or screen, as far as the bearer may know: because says which"),
        .problem(503, "Busy; try again soon"),
    ]
}
