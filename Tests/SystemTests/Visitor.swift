import Conversation
import FormeClientZMQ
import MessageLayout
import Names
import TestSupport
import Typography
import Wire

/// A window of a conversation at a real gateway.
struct Visitor: ~Copyable {
    private var link: WindowLink
    var mirror: WindowMirror
    var resyncs = 0

    init(_ folder: TemporaryFolder, _ place: WindowPlace = .newest) throws {
        var link = try WindowLink(Endpoints(folder: folder.path).fetch)
        mirror = try WindowMirror(Visitor.open(&link, place))
        self.link = link
    }

    private static func open(_ link: inout WindowLink, _ place: WindowPlace) throws -> WindowReply {
        let target = Target(width: .points(390), scale: Scale(thousandths: 3000))
        let opening = WindowOpening(
            window: WindowID(1), conversation: try ConversationID("c"), target: target, place: place, count: 200,
            screen: 2532)
        let deadline = ContinuousClock.now + patience
        while true {
            switch try link.ask(.open(opening), within: .seconds(20)) {
            case .window(let reply): return reply
            // Nothing is laid out yet.
            case .refused(_, .busy), .refused(_, .unknownConversation):
                guard .now < deadline else { throw Unexpected(word: "nothing is laid out") }
                _ = try link.next(within: .milliseconds(20))
            case let word: throw Unexpected(word: "\(word)")
            }
        }
    }

    struct Unexpected: Error { let word: String }

    /// Does all that it is told.
    mutating func listen(atMost time: Duration = .milliseconds(20)) throws {
        while let word = try link.next(within: time) {
            switch word {
            case .changes(let set): try mirror.apply(set)
            case .refused(_, .resync):
                resyncs += 1
                mirror = try WindowMirror(Visitor.open(&link, .newest))
            default: throw Unexpected(word: "\(word)")
            }
        }
    }

    mutating func ask(_ word: ClientWord) throws -> GatewayWord { try link.ask(word, within: .seconds(10)) }
}
