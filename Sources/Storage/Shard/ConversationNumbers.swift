import Names
import Wire

/// The numbers that a file has for conversations, of those that were asked for lately. A number never changes.
struct ConversationNumbers {
    private var numbers: [ConversationID: Int64] = [:]

    private static let limit = 8192

    subscript(conversation: ConversationID) -> Int64? {
        get { numbers[conversation] }
        set {
            if numbers.count >= Self.limit { numbers.removeAll(keepingCapacity: true) }
            numbers[conversation] = newValue
        }
    }

    mutating func removeAll() { numbers.removeAll() }
}
