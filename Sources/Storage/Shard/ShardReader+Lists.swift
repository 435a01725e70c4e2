import Bytes
package import Names
package import Pool
package import Wire

/// The last row of a conversation, for a list of conversations.
package struct LastRow: Equatable, Sendable {
    package var message: MessageID
    package var facts: Pool.RowFacts
    /// The newest that changed it.
    package var job: JobNumber
    /// How many rows of others are behind the place up to which somebody has read.
    package var unread: Int
}

extension ShardReader {
    /// The last row of a conversation, without what is drawn in it; nil where it has none.
    /// - Parameters:
    ///   - reader: whose own rows are not counted as unread; nil where nothing is counted.
    ///   - order: up to which all is read.
    ///   - limit: of what is counted.
    package mutating func lastRow(
        of conversation: ConversationID, for reader: SenderID?, readUpTo order: Int64?, countingUpTo limit: Int
    ) throws(StorageError) -> LastRow? {
        try atOneMoment { (reading, standing) throws(StorageError) in
            guard let number = try reading.number(of: conversation) else { return nil }
            try reading.tables.followPlaces(standing, of: number)
            var last: LastRow?
            var (count, looks, broken) = (0, 0, 0)
            reading.tables.newest.bind(number, at: 1)
            try reading.tables.newest.each { (row) throws(StorageError) in
                guard let position = row.position else { return true }
                let isUnread = reader != nil && order.map { position.order > $0 } ?? true
                guard last == nil || isUnread, count < limit, looks < 2 * limit else { return false }
                looks += 1
                guard let (head, job) = try reading.tables.head(of: MessageNumber(row.integer(2)), &broken) else {
                    return true
                }
                if last == nil { last = LastRow(message: head.message, facts: head.facts, job: job, unread: 0) }
                if isUnread, head.facts.sender != reader { count += 1 }
                return isUnread
            }
            last?.unread = count
            reading.damaged += broken
            return last
        }
    }
}

extension ReadTables {
    /// Nil where there is no such row, or it is damaged, which is counted.
    fileprivate func head(
        of number: MessageNumber, _ broken: inout Int
    ) throws(StorageError) -> (head: RowHead, job: JobNumber)? {
        row.bind(number.number, at: 1)
        return try row.first { found -> (head: RowHead, job: JobNumber)? in
            let job = JobNumber(UInt64(bitPattern: found.integer(1)))
            do throws(ByteError) { return (try RowHead(found.blob(2), number, job), job) } catch {
                broken += 1
                return nil
            }
        } ?? nil
    }
}
