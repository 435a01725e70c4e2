import Names
import Pool
import Wire

/// The conversations, and the kinds of messages, that most events were about lately.
struct EventShares {
    private var conversations = Busiest<ConversationID>()
    private var kinds = Busiest<[UInt8]>(atMost: 128)
    private var nextHalving = Moment.start + pause

    private static let pause: Duration = .seconds(30)
    private static let longestKind = 64

    mutating func count(_ events: [Result<ChatEvent, EventFault>], at now: Moment) {
        while now >= nextHalving {
            conversations.halve()
            kinds.halve()
            nextHalving = nextHalving + Self.pause
        }
        for case .success(let event) in events {
            conversations.count(event.conversation)
            guard let content = event.message?.body?.content, let kind = StyleWords.kind(of: content) else { continue }
            kinds.count(Array(kind.prefix(Self.longestKind)))
        }
    }

    var top: PoolTop {
        var top = PoolTop()
        top.events = conversations.total
        top.conversations = conversations.first(PoolTop.most) { $0.text < $1.text }.map {
            .init(name: $0.name.text, events: $0.count)
        }
        top.kinds = kinds.first(PoolTop.most) { $0.lexicographicallyPrecedes($1) }.map {
            .init(name: String(decoding: $0.name, as: UTF8.self), events: $0.count)
        }
        return top
    }
}
