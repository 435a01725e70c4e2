import Names
import Wire

/// Of how many conversations each connection has spoken, up to a limit.
///
/// Eight bytes for each, as nothing is asked of it but "a new one?". When all of them together are too many, counting starts
/// anew: the limit is there to stop one producer from going wild, and not to keep books.
struct ConnectionMemory: Equatable, Sendable {
    private var conversations: [Peer: Set<UInt64>] = [:]
    private var count = 0

    /// False when the connection has spoken of as many others as it may.
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
