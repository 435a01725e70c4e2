import Bytes
package import Names
package import Pool
package import Wire

/// The last row of a conversation, for a list of conversations.
package struct LastRow: Equatable, Sendable {
    package var message: MessageID
    package var facts: StoredFacts
    /// The newest job that changed it.
    package var job: JobNumber
    /// The number of rows of others behind the place up to which the reader has read.
    package var unread: Int
}

/// A conversation of which the last row is asked for.
package struct LastRowQuestion: Sendable {
    package var conversation: ConversationID
    /// The order up to which all is read; nil where nothing is.
    package var readUpTo: Int64?

    package init(_ conversation: ConversationID, readUpTo order: Int64?) {
        (self.conversation, readUpTo) = (conversation, order)
    }
}

extension ShardReader {
    /// The last rows of conversations, without their drawings, all of one moment; nil for those that have none.
    /// - Parameters:
    ///   - reader: the reader, whose own rows are not counted as unread; nil where nothing is counted.
    ///   - limit: the number at which counting stops.
    package mutating func lastRows(
        of questions: [LastRowQuestion], for reader: SenderID?, countingUpTo limit: Int
    ) throws(StorageError) -> [LastRow?] {
        try atOneMoment { (reading, standing) throws(StorageError) in
            var rows: [LastRow?] = []
            for question in questions {
                rows.append(try reading.lastRow(of: question, for: reader, countingUpTo: limit, standing))
            }
            return rows
        }
    }

    private mutating func lastRow(
        of question: LastRowQuestion, for reader: SenderID?, countingUpTo limit: Int, _ standing: ReadTables.Standing
    ) throws(StorageError) -> LastRow? {
        guard let number = try number(of: question.conversation) else { return nil }
        try tables.followPlaces(standing)
        let own = reader.map { Array($0.text.utf8) } ?? []
        var last: LastRow?
        var (count, looks, broken) = (0, 0, 0)
        try tables.newest.each(of: number, with: tables.recent.list) { (place) throws(StorageError) in
            let isUnread = reader != nil && question.readUpTo.map { place.position.order > $0 } ?? true
            guard last == nil || isUnread, count < limit, looks < 2 * limit else { return false }
            looks += 1
            if last == nil {
                guard let (head, job) = try tables.head(of: place.number, &broken) else { return true }
                last = LastRow(message: head.message, facts: head.facts, job: job, unread: 0)
                if isUnread, head.facts.sender != reader { count += 1 }
            } else if try tables.isRow(place.number, ofOthersThan: own, &broken) {
                count += 1
            }
            return isUnread
        }
        last?.unread = count
        damaged += broken
        return last
    }
}

extension ReadTables {
    /// The head of a row; nil where there is no such row, or it is damaged, which is counted.
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

    /// Whether there is such a row, and another sender wrote the message; false for a damaged row, which is counted.
    fileprivate func isRow(
        _ number: MessageNumber, ofOthersThan sender: [UInt8], _ broken: inout Int
    ) throws(StorageError) -> Bool {
        row.bind(number.number, at: 1)
        let found = try row.first { found -> Bool? in
            let job = JobNumber(UInt64(bitPattern: found.integer(1)))
            return found.withBlob(2) { head in
                RowHead.isIntact(head, number, job) ? RowHead.isFrom(sender, head) : nil
            }
        }
        guard let found else { return false }
        if found == nil { broken += 1 }
        return found == false
    }
}
