import Bytes
import HTTP
import Wire

/// The form in which a stream is told, as its request asks.
enum StreamForm: Sendable {
    /// Server-Sent Events, in JSON.
    case events
    /// Frames of `Wire`, each behind its length.
    case frames

    init(_ request: Request) {
        self = request.wantsFrames ? .frames : .events
    }

    var type: String {
        switch self {
        case .events: "text/event-stream"
        case .frames: WindowPages.binary
        }
    }

    /// The bytes of a word. Most of them are the same for all streams that are told it, and made once.
    func pieces(_ word: ToldWord, mark: EventMark?) -> [[UInt8]] {
        switch self {
        case .events:
            let id = mark.map { "id: \($0.text)\n" } ?? ""
            return [word.event, Array((id + "\n").utf8)]
        case .frames: return [word.block]
        }
    }

    /// A sign of life, which says nothing.
    var signOfLife: [UInt8] {
        switch self {
        case .events: Array(": nothing new\n\n".utf8)
        case .frames: [0, 0, 0, 0]
        }
    }
}

extension GatewayWord {
    /// A Server-Sent Event without its name and without its end.
    var event: [UInt8] {
        do throws(ByteError) {
            return try Array("event: \(name)\ndata: ".utf8) + json() + [UInt8(ascii: "\n")]
        } catch {
            return Array("event: broken\ndata: {}\n".utf8)
        }
    }

    private var name: String {
        switch self {
        case .window: "window"
        case .heights: "heights"
        case .rows: "rows"
        case .place: "place"
        case .changes: "changes"
        case .adjusted: "adjusted"
        case .done: "done"
        case .refused: "refused"
        case .pending: "pending"
        case .unavailable: "unavailable"
        case .preview: "preview"
        case .ranges: "ranges"
        case .rejected: "rejected"
        case .unreadable: "unreadable"
        }
    }

    /// The window that it is about and the moment that a client has reached with it.
    var reached: (window: WindowID, cursor: WindowCursor)? {
        switch self {
        case .window(let reply): (reply.window, reply.frame.cursor)
        case .changes(let set): (set.window, set.frame.cursor)
        case .heights, .rows, .place, .adjusted, .done, .refused, .pending, .unavailable, .preview, .rejected, .ranges,
            .unreadable:
            nil
        }
    }
}
