import Bytes
package import Names
package import Pool

/// The stored facts of one conversation, for a list.
package struct KeptConversation: Equatable, Sendable {
    package var card: ConversationCard
    /// The order up to which the asking reader has read; nil where that was never said.
    package var readUpTo: Int64?
}

extension CardReader {
    /// Conversations in the order of their names, each with the time at which something was last
    /// said in it; none where the journal is from before there was such a table. Changes since the
    /// last merge come with `takeTouched`, from its first call on.
    package mutating func conversations(
        after name: ConversationID?, limit: Int
    ) throws(StorageError) -> [(name: ConversationID, activity: Int64)] {
        try atOneMoment { (reader) throws(StorageError) in
            let path = reader.tables.database.path
            guard try ConversationTables.exist(in: reader.tables.database) else { return [] }
            let query = try reader.tables.database.prepare(
                "SELECT name, ifnull(activity, \(Int64.min)) FROM conversations WHERE name > ? ORDER BY name LIMIT ?")
            query.bind(utf8: name?.text ?? "", at: 1)
            query.bind(Int64(limit), at: 2)
            var found: [(name: ConversationID, activity: Int64)] = []
            try query.each { (row) throws(StorageError) in
                do throws(ByteError) {
                    found.append((name: try ConversationID(row.text(0)), activity: row.integer(1)))
                } catch {
                    throw .damaged(path: path, error)
                }
                return true
            }
            return found
        }
    }

    /// Takes the conversations that have changed since the last call; with the first call, since the last merge.
    /// - Returns: nil where that is not known any more, and all are to be read again.
    package mutating func takeTouched() throws(StorageError) -> [(name: ConversationID, activity: Int64)]? {
        try atOneMoment { (reader) throws(StorageError) in try reader.touchedNow() }
    }

    /// The stored facts of conversations, in the order of the question.
    package mutating func kept(
        of conversations: [ConversationID], for reader: SenderID?
    ) throws(StorageError) -> [KeptConversation] {
        try atOneMoment { (journal) throws(StorageError) in
            let questions = try ConversationTables.questions(to: journal.tables)
            var kept: [KeptConversation] = []
            for conversation in conversations {
                var card = journal.notes.standings[conversation]?.card
                if card == nil { card = try questions?.card(of: conversation)?.card }
                var place: Int64?
                if let reader {
                    let key = ReadingKey(conversation, reader)
                    place = journal.notes.readings[key]
                    if place == nil { place = try questions?.readPlace(key) }
                }
                kept.append(KeptConversation(card: card ?? ConversationCard(), readUpTo: place))
            }
            return kept
        }
    }
}
