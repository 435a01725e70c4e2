import FormeClientZMQ
import Wire

/// One window at a gateway, from opening it to its end.
struct WindowVisit: ~Copyable {
    private var link: WindowLink
    private let opening: WindowOpening

    private static let patience: Duration = .seconds(5)

    init(_ opening: WindowOpening, at place: Place) throws {
        self.opening = opening
        link = try WindowLink(place.endpoints.fetch, access: place.calling(place.endpoints.fetch, as: "operator"))
    }

    /// The whole window. While the gateway says that it is busy, it is asked again.
    mutating func open() throws -> WindowReply {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            switch try link.ask(.open(opening), within: Self.patience) {
            case .window(let reply): return reply
            case .refused(_, .busy) where .now < deadline: _ = try link.next(within: .milliseconds(50))
            case .refused(_, let refusal): throw Failure(.failed, refusal.sentence(about: opening))
            default: throw Failure(.failed, "the gateway answered something else; is its version the same as this one?")
            }
        }
    }

    mutating func next(within time: Duration) throws -> GatewayWord? { try link.next(within: time) }
}

extension WindowRefusal {
    /// What whoever asked can do about it.
    fileprivate func sentence(about opening: WindowOpening) -> String {
        switch self {
        case .busy: "the gateway is busy, or nothing was ever laid out; try again soon"
        case .unknownConversation: "nothing is known of '\(opening.conversation)'"
        case .unknownMessage: "no such message is in '\(opening.conversation)'"
        case .unprepared:
            "nothing is laid out for \(TargetOption.text(opening.target)); the style names its targets"
        case .unknownWindow, .resync: "the gateway holds the window no more; try again"
        }
    }
}
