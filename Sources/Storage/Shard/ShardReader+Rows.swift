import Bytes
package import MessageLayout
package import Names
package import Pool
package import Record
import Rows
package import Wire

/// A finished row, as readers get it.
package struct ReadRow: Equatable, Sendable {
    package var number: MessageNumber
    /// The newest job that changed it.
    package var job: JobNumber
    package var message: MessageID
    package var facts: StoredFacts
    package var role: RowRole
    /// The whole record.
    package var layout: [UInt8]
    /// The record, opened, where screens were named.
    package var record: LayoutRecord?
    /// The measured texts that a layout for an unforeseen width is made of; empty unless they are needed.
    package var measured: [UInt8] = []
    /// The list of its heights; empty where only the record tells them.
    package var heights: ArraySlice<UInt8> = []
    /// The edition that it was laid out for, where the edition that is read lacks it.
    package var filler: EditionID?

    package init(
        number: MessageNumber, job: JobNumber, message: MessageID, facts: StoredFacts, role: RowRole,
        layout: [UInt8], record: LayoutRecord? = nil, measured: [UInt8] = [], filler: EditionID? = nil
    ) {
        (self.number, self.job, self.message, self.facts, self.role) = (number, job, message, facts, role)
        (self.layout, self.record, self.measured, self.filler) = (layout, record, measured, filler)
    }

    package var position: Position { Position(order: facts.order, message: message) }
}

/// The place of one row of a conversation.
package struct NumberedPlace: Equatable, Sendable {
    package var position: Position
    package var number: MessageNumber
}

extension ShardReader {
    /// Rows by their numbers, as changes name them; missing ones are left out.
    /// - Parameters:
    ///   - targets: a row that is not laid out for all of these comes with its measured texts.
    ///   - wantsTexts: whether a row that is laid out for all of them comes with these texts, too.
    package mutating func rows(
        _ numbers: [MessageNumber], for targets: Set<Target> = [], withTexts wantsTexts: Bool = false
    ) throws(StorageError) -> [ReadRow] {
        try atOneMoment { (reader, _) throws(StorageError) in
            try reader.rowsNow(numbers, for: targets, withTexts: wantsTexts)
        }
    }

    /// A row without its layout, and the measured texts that it is laid out of for screens that it lacks; these are
    /// empty where it lacks none.
    package typealias StatedRow = (stated: RowSealer.Stated, measured: [UInt8])

    /// Rows as a tree takes them, by their numbers; missing ones are left out, and so are those that cannot be read.
    /// - Parameter targets: the screens that they are for.
    package mutating func stated(
        _ numbers: [MessageNumber], for targets: Set<Target>, by sealer: inout RowSealer
    ) throws(StorageError) -> [StatedRow] {
        try atOneMoment { (reader, _) throws(StorageError) in
            defer { reader.tables.whole.reset() }
            var rows: [StatedRow] = []
            rows.reserveCapacity(numbers.count)
            for number in numbers {
                guard let row = try reader.tables.whole.row(number.number) else { continue }
                do {
                    let stated = try sealer.seal(row, from: 0, reader.tables.roles, for: targets)
                    let isPrepared = targets.allSatisfy(stated.targets.contains)
                    rows.append((stated, isPrepared ? [] : try row.measured(4, head: 2)))
                } catch RowSealer.Fault.unreadable {
                    // It is laid out again some time.
                } catch {
                    reader.damaged += 1
                }
            }
            return rows
        }
    }

    /// Rows by the ids of their messages; missing ones are left out. Places are looked through from
    /// the newest on, so the cost grows with the number of rows behind the oldest of them.
    package mutating func rows(
        _ messages: [MessageID], of conversation: ConversationID
    ) throws(StorageError) -> [ReadRow] {
        try atOneMoment { (reader, standing) throws(StorageError) in
            guard let conversation = try reader.number(of: conversation) else { return [] }
            try reader.tables.followPlaces(standing)
            var wanted = Set(messages)
            var numbers: [MessageID: MessageNumber] = [:]
            try reader.tables.newest.each(of: conversation, with: reader.tables.recent.list) { place in
                if wanted.remove(place.position.message) != nil { numbers[place.position.message] = place.number }
                return !wanted.isEmpty
            }
            return try reader.rowsNow(messages.compactMap { numbers[$0] })
        }
    }

    /// The places of all rows of a conversation, in order.
    package mutating func places(
        of conversation: ConversationID, after: Position? = nil, limit: Int = .max
    ) throws(StorageError) -> (places: [NumberedPlace], cursor: Cursor) {
        try atOneMoment { (reader, standing) throws(StorageError) in
            guard let conversation = try reader.number(of: conversation) else { return ([], standing.cursor) }
            try reader.tables.followPlaces(standing)
            var places: [NumberedPlace] = []
            try reader.tables.places.each(of: conversation, after: after, with: reader.tables.recent.list) { place in
                guard places.count < limit else { return false }
                places.append(place)
                return true
            }
            return (places, standing.cursor)
        }
    }

    /// Lends the measured texts of rows, for an unforeseen width, for as long as the call takes. A
    /// row that is missing or damaged is left out.
    package mutating func measured(
        _ numbers: [MessageNumber], _ body: (_ i: Int, _ measured: borrowing Span<UInt8>) -> Void
    ) throws(StorageError) {
        try atOneMoment { (reader, _) throws(StorageError) in
            defer { reader.tables.measured.reset() }
            for (i, number) in numbers.enumerated() {
                guard let row = try reader.tables.measured.row(number.number) else { continue }
                let sum = row.withBlob(1) { RowHead.measuredSum(in: $0) }
                row.withBlob(2) { measured in
                    if Checksum.of(measured) == sum { body(i, measured) } else { reader.damaged += 1 }
                }
            }
        }
    }

    /// The content of a row, as it is taken over into another edition.
    package typealias KeyedRow = (layout: [UInt8], measured: [UInt8], heights: [UInt8])

    /// The content of a row; nil where it was made under another key, is not there, or is damaged.
    package mutating func row(_ number: MessageNumber, under key: [UInt8]) throws(StorageError) -> KeyedRow? {
        try atOneMoment { (reader, _) throws(StorageError) in
            reader.tables.row.bind(number.number, at: 1)
            return try reader.tables.row.first { row -> KeyedRow? in
                do throws(ByteError) {
                    let head = try RowHead(row.blob(2), number, JobNumber(UInt64(bitPattern: row.integer(1))))
                    guard head.key == key[...] else { return nil }
                    let (layout, measured) = (row.blob(3), row.blob(4))
                    guard Checksum.of(layout) == head.layoutSum, Checksum.of(measured) == head.measuredSum else {
                        throw .notForme
                    }
                    return (layout, measured, Array(head.heights))
                } catch {
                    reader.damaged += 1
                    return nil
                }
            } ?? nil
        }
    }

    /// The row of a message as a job left it, or the fact that it is not there any more.
    package enum RowOfJob: Equatable, Sendable {
        case row(ShardRow)
        /// A newer job has changed the row: as this one left it, it is nowhere.
        case passed
    }

    /// Rows of messages as jobs left them, for other files, all of one moment; nil for each that is
    /// not there, or is damaged.
    package mutating func rows(
        of jobs: [(message: MessageNumber, job: JobNumber)]
    ) throws(StorageError) -> [RowOfJob?] {
        try atOneMoment { (reader, _) throws(StorageError) in
            defer { reader.tables.whole.reset() }
            var found: [RowOfJob?] = []
            for (message, job) in jobs {
                guard let row = try reader.tables.whole.row(message.number) else {
                    found.append(nil)
                    continue
                }
                let newest = JobNumber(UInt64(bitPattern: row.integer(1)))
                do throws(ByteError) {
                    switch newest {
                    case job:
                        let head = try RowHead(row.blob(2), message, job)
                        found.append(.row(try ShardRow(row, head, reader.tables.roles)))
                    case ..<job: found.append(nil)
                    default: found.append(.passed)
                    }
                } catch {
                    reader.damaged += 1
                    found.append(nil)
                }
            }
            return found
        }
    }

    private mutating func rowsNow(
        _ numbers: [MessageNumber], for targets: Set<Target> = [], withTexts wantsTexts: Bool = false
    ) throws(StorageError) -> [ReadRow] {
        var rows: [ReadRow] = []
        rows.reserveCapacity(numbers.count)
        defer { tables.whole.reset() }
        var last: LayoutRecord?
        // The targets of the record before, which are mostly those of the next, too.
        var (known, isPrepared): ([Target], Bool) = ([], false)
        for number in numbers {
            guard let row = try tables.whole.row(number.number) else { continue }
            do throws(ByteError) {
                var found = try read(row, from: 0)
                if !targets.isEmpty {
                    // A record that cannot be read is laid out for none.
                    found.record = try? LayoutRecord(found.layout, like: last)
                    last = found.record
                    if let record = found.record, record.targets != known {
                        (known, isPrepared) = (record.targets, targets.allSatisfy(record.targets.contains))
                    }
                    if found.record == nil || !isPrepared || wantsTexts {
                        found.measured = try row.measured(4, head: 2)
                    }
                }
                rows.append(found)
            } catch {
                damaged += 1
            }
        }
        return rows
    }

    private func read(_ row: Statement.Row, from first: Int32) throws(ByteError) -> ReadRow {
        try ReadRow(row, from: first, tables.roles)
    }
}

extension ReadRow {
    /// Reads number, job, head and layout, in columns from `first` on.
    init(_ row: Statement.Row, from first: Int32, _ roles: StoredRoles) throws(ByteError) {
        let (number, job) = row.numbers(from: first)
        try self.init(row, from: first, RowHead(row.blob(first + 2), number, job), roles)
    }

    /// Reads the layout behind a head that was read.
    init(
        _ row: Statement.Row, from first: Int32, _ head: RowHead, _ roles: StoredRoles
    ) throws(ByteError) {
        let (number, job) = row.numbers(from: first)
        let layout = row.blob(first + 3)
        let sum = Checksum.of(layout)
        guard sum == head.layoutSum else { throw .outOfRange(Int64(sum), of: "checksum of a layout") }
        self.init(
            number: number, job: job, message: head.message, facts: head.facts, role: try roles.role(head.role),
            layout: layout)
        heights = head.heights
    }
}

extension Statement.Row {
    /// The number of a row, and its newest job, in columns from `first` on.
    func numbers(from first: Int32) -> (MessageNumber, JobNumber) {
        (MessageNumber(integer(first)), JobNumber(UInt64(bitPattern: integer(first + 1))))
    }
}

extension ShardRow {
    /// The row for another file, from columns with number, job, head, layout and measured texts.
    /// Throws where one of these is not what was stored.
    init(_ row: Statement.Row, _ head: RowHead, _ roles: StoredRoles) throws(ByteError) {
        let (layout, measured) = (row.blob(3), row.blob(4))
        guard Checksum.of(layout) == head.layoutSum, Checksum.of(measured) == head.measuredSum else { throw .notForme }
        self.init(
            facts: head.facts, role: try roles.role(head.role), key: Array(head.key), layout: layout,
            measured: measured, heights: Array(head.heights))
    }
}

extension Statement.Row {
    /// The measured texts of a row in one column, checked against its head in another one.
    func measured(_ column: Int32, head: Int32) throws(ByteError) -> [UInt8] {
        let measured = blob(column)
        guard Checksum.of(measured) == withBlob(head, { RowHead.measuredSum(in: $0) }) else { throw .notForme }
        return measured
    }
}
