import Names
import Pool
import Wire

/// The numbers that a file has for conversations and roles, of those that its writer asked for
/// lately. A conversation or role without one is given one.
struct KnownNumbers {
    private var conversations = ConversationNumbers()
    private var roles: [RowRole: Int64] = [:]

    mutating func removeAll() {
        conversations.removeAll()
        roles.removeAll()
    }

    mutating func number(
        of conversation: ConversationID, in tables: borrowing ShardTables
    ) throws(StorageError) -> (number: Int64, isNew: Bool) {
        if let known = conversations[conversation] { return (known, false) }
        tables.findConversation.bind(utf8: conversation.text, at: 1)
        let known = try tables.findConversation.first { row in row.integer(0) }
        var number = known
        if number == nil {
            tables.addConversation.bind(utf8: conversation.text, at: 1)
            number = try tables.addConversation.first { row in row.integer(0) }
        }
        guard let number else { throw .corrupt(path: tables.database.path, "a conversation has no number") }
        conversations[conversation] = number
        return (number, known == nil)
    }

    mutating func number(of role: RowRole, in tables: borrowing ShardTables) throws(StorageError) -> Int64 {
        if let known = roles[role] { return known }
        tables.findRole.bind(utf8: role.template, at: 1)
        tables.findRole.bind(role.joinsSeries ? 1 : 0, at: 2)
        var number = try tables.findRole.first { row in row.integer(0) }
        if number == nil {
            tables.addRole.bind(utf8: role.template, at: 1)
            tables.addRole.bind(role.joinsSeries ? 1 : 0, at: 2)
            number = try tables.addRole.first { row in row.integer(0) }
        }
        guard let number else { throw .corrupt(path: tables.database.path, "a role has no number") }
        roles[role] = number
        return number
    }
}
