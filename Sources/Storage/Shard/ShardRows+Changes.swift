import Bytes
import Names
import Pool
import Wire

extension ShardRows {
    /// A row as it is stored. The head is nil where it is damaged: any change is newer then.
    struct Found {
        var job: JobNumber
        var head: RowHead?
    }

    func row(_ number: MessageNumber) throws(StorageError) -> Found? {
        tables.findRow.bind(number.number, at: 1)
        return try tables.findRow.first { row in
            let job = JobNumber(UInt64(bitPattern: row.integer(0)))
            do throws(ByteError) {
                return Found(job: job, head: try RowHead(row.blob(1), number, job))
            } catch {
                return Found(job: job, head: nil)
            }
        }
    }

    /// Applies a change. Nil where nothing changes, as the job is not newer than what is there.
    mutating func apply(_ change: ShardChange) throws(StorageError) -> ChangeEntry? {
        // Numbers of new messages rise, so most are past all that is there, and need no look.
        var found: Found?
        if change.message.number <= standing.lastNumber {
            found = try row(change.message)
            if let found, change.job <= found.job, !change.mends(found.job) { return nil }
        }
        // Also where there is no row, or none any more, as a worker may have ended before all was done.
        if case .removed = change.row { care.noteRemoval(of: change.message) }
        if found == nil, change.message.number <= standing.lastNumber {
            if let gone = try tombstone(change.message), change.job <= gone { return nil }
        }
        if found == nil { try noteLost(change) }
        switch change.row {
        case .laidOut(let row), .mended(let row): return try layOut(change, row, over: found)
        case .touched(let facts):
            return try amend(change, found) { head in
                head.facts = facts
                head.message = change.messageID
            }
        case .amended(let order, let status):
            return try amend(change, found) { head in
                (head.facts.order, head.facts.status) = (order, status)
                head.message = change.messageID
            }
        case .removed: return try remove(change, found)
        case .withdrawn: return try withdraw(change, found)
        }
    }

    private mutating func layOut(
        _ change: ShardChange, _ row: ShardRow, over found: Found?
    ) throws(StorageError) -> ChangeEntry {
        var head = RowHead(
            conversation: try number(of: change.conversation), message: change.messageID,
            role: try numbers.number(of: row.role, in: tables), row: row)
        if !settings.keepsHeights { head.heights = [] }
        let number = change.message.number
        tables.putRow.bind(number, at: 1)
        tables.putRow.bind(Int64(bitPattern: change.job.number), at: 2)
        tables.putRow.bind(head.encoded(change.message, change.job), at: 3)
        tables.putRow.bind(row.layout, at: 4)
        tables.putRow.bind(row.measured, at: 5)
        try tables.putRow.run()
        if found == nil, number <= standing.lastNumber { try tables.dropTombstone.run(.integer(number)) }
        try move(change.message, from: found?.head, to: head)
        try sealing.tear(change.message, head, in: tables)
        sealing.noteWritten(head.conversation)
        standing.lastNumber = max(standing.lastNumber, number)
        return entry(.laidOut, change, head)
    }

    private mutating func amend(
        _ change: ShardChange, _ found: Found?, _ mend: (inout RowHead) -> Void
    ) throws(StorageError) -> ChangeEntry? {
        guard let old = found?.head else { return nil }
        var head = old
        mend(&head)
        tables.setHead.bind(change.message.number, at: 1)
        tables.setHead.bind(Int64(bitPattern: change.job.number), at: 2)
        tables.setHead.bind(head.encoded(change.message, change.job), at: 3)
        try tables.setHead.run()
        try move(change.message, from: old, to: head)
        if !head.isSealedLike(old) { try sealing.tear(change.message, head, in: tables) }
        return entry(.touched, change, head)
    }

    private mutating func remove(_ change: ShardChange, _ found: Found?) throws(StorageError) -> ChangeEntry? {
        guard let found else { return nil }
        try tables.dropRow.run(.integer(change.message.number))
        try putTombstone(change)
        guard let head = found.head else {
            // Nobody can tell which block it was in.
            try tables.blocks.emptyTorn(in: tables.database)
            return nil
        }
        try dropPlace(change.message, head)
        return entry(.removed, change, head)
    }

    /// Puts a tombstone: no job up to this one brings the message back.
    func putTombstone(_ change: ShardChange) throws(StorageError) {
        try tables.putTombstone.run(
            .integer(change.message.number), .integer(Int64(bitPattern: change.job.number)))
    }

    /// Takes a row away without a tombstone, as the job that took it away may bring it back.
    private mutating func withdraw(_ change: ShardChange, _ found: Found?) throws(StorageError) -> ChangeEntry? {
        guard let found else { return nil }
        try tables.dropRow.run(.integer(change.message.number))
        care.noteRemoval()
        guard let head = found.head else {
            // Nobody can tell which block it was in.
            try tables.blocks.emptyTorn(in: tables.database)
            return nil
        }
        try dropPlace(change.message, head)
        return entry(.evicted, change, head)
    }

    /// Takes out a row that is wrong, so that the job that made it makes it again; nil where there is none.
    mutating func takeOut(_ message: MessageNumber) throws(StorageError) -> ChangeEntry? {
        try tables.dropTombstone.run(.integer(message.number))
        guard let head = try row(message)?.head else { return nil }
        try tables.dropRow.run(.integer(message.number))
        care.noteRemoval()
        try dropPlace(message, head)
        return ChangeEntry(
            kind: .evicted, conversation: head.conversation, number: message, message: head.message,
            order: head.facts.order)
    }

    private func tombstone(_ number: MessageNumber) throws(StorageError) -> JobNumber? {
        tables.findTombstone.bind(number.number, at: 1)
        return try tables.findTombstone.first { row in JobNumber(UInt64(bitPattern: row.integer(0))) }
    }

    /// Moves a row to its place, and frees the one where it was.
    private mutating func move(
        _ number: MessageNumber, from old: RowHead?, to head: RowHead
    ) throws(StorageError) {
        let stays = old.map { $0.conversation == head.conversation && $0.position == head.position } ?? false
        if let old, !stays { try dropPlace(number, old) }
        // Where two rows claim one place, the later one has it.
        if tables.recent.merged.isPlaced(number.number, in: head.conversation) {
            let isClaimed = tables.recent.remove(head.conversation, head.position)
            guard !stays || isClaimed else { return }
            tables.putPlace.bind(head.conversation, head.position, at: 1)
            tables.putPlace.bind(number.number, at: 4)
            try tables.putPlace.run()
        } else {
            tables.clearPlace.bind(head.conversation, head.position, at: 1)
            try tables.clearPlace.run()
            tables.recent.put(number, head.conversation, head.position)
        }
    }

    mutating func dropPlace(_ number: MessageNumber, _ head: RowHead) throws(StorageError) {
        try sealing.tear(number, head, in: tables)
        guard tables.recent.merged.isPlaced(number.number, in: head.conversation) else {
            return tables.recent.remove(number)
        }
        tables.dropPlace.bind(head.conversation, head.position, at: 1)
        tables.dropPlace.bind(number.number, at: 4)
        try tables.dropPlace.run()
    }

    private mutating func number(of conversation: ConversationID) throws(StorageError) -> Int64 {
        let (number, isNew) = try numbers.number(of: conversation, in: tables)
        if isNew { sealing.noteNew(number) }
        return number
    }

    private func entry(_ kind: ShardChangeNote.Kind, _ change: ShardChange, _ head: RowHead) -> ChangeEntry {
        ChangeEntry(
            kind: kind, conversation: head.conversation, number: change.message, message: head.message,
            order: head.facts.order)
    }
}

extension ShardChange {
    /// Whether the change makes the row of a job again.
    fileprivate func mends(_ job: JobNumber) -> Bool { if case .mended = row { self.job == job } else { false } }
}
