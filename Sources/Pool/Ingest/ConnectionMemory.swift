import Names
import Wire

/// The conversations that each connection has spoken of, up to a limit.
///
/// Each takes eight bytes, as the only question is whether it is new. When all of them together are too many,
/// counting starts anew: the limit is there to stop one producer from going wild, and not to keep books.
struct ConnectionMemory: Equatable, Sendable {
    private var conversations: [Peer: Set<UInt64>] = [:]
    private var count = 0

    /// Whether the connection may speak of the conversation; false when it has spoken of as many others as it may.
    mutating func admits(_ conversation: ConversationID, from peer: Peer, limits: IngestLimits) -> Bool {
        var hash = StableHash()
        hash.add(conversation.text.utf8)
        let known = conversations[peer]
        if let known, known.contains(hash.value) { return true }
        guard known?.count ?? 0 < limits.conversationsPerConnection else { return false }
        if count >= limits.conversationsRemembered {
            conversations = [:]
            count = 0
        }
        conversations[peer, default: []].insert(hash.value)
        count += 1
        return true
    }
}
