import Bytes
package import Names
package import Pool
package import Wire

/// Looks up messages by their names in a journal that somebody else writes, and changes nothing.
///
/// What was not merged yet is remembered from one look to the next, so that each reads only what has come since.
package struct CardReader: ~Copyable {
    private let opening: JournalOpening
    let tables: JournalTables
    private var memory: CardMemory
    private var merged: LogPosition
    /// The version of the file at the last look.
    private var version: Int64?
    /// Entries were merged that this never saw: who follows conversations has missed some.
    private var hasGap = false

    /// Throws `.absent` where there is no journal.
    package init(in folder: DataFolder) throws(StorageError) {
        let database = try JournalReader.open(in: folder)
        let opening = try JournalOpening(folder, JournalSettings())
        let tables = try JournalTables(database)
        let merged = try opening.state(of: tables).merged
        self.opening = opening
        self.tables = tables
        self.merged = merged
        memory = CardMemory(after: merged)
    }

    /// The message that a key leads to, over other ids that it has had; nil where there is none.
    package mutating func message(_ key: MessageKey) throws(StorageError) -> MessageCard? {
        try atOneMoment { (reader) throws(StorageError) in try reader.find(key) }
    }

    /// Whether a message of the conversation was ever accepted, also one that was deleted since.
    package mutating func knows(_ conversation: ConversationID) throws(StorageError) -> Bool {
        try atOneMoment { (reader) throws(StorageError) in
            let start = CardKey.start(of: conversation)
            if try reader.tables.hasCard(from: start) { return true }
            return reader.memory.cards.keys.contains { $0.bytes.starts(with: start) }
        }
    }

    /// The message that a key leads to, and what is done of its shard in every edition at that moment: what that names as done has
    /// been in its file.
    package mutating func standing(
        of key: MessageKey, in shard: Shard
    ) throws(StorageError) -> (card: MessageCard, progress: [ShardProgress])? {
        try atOneMoment { (reader) throws(StorageError) in
            guard let card = try reader.find(key) else { return nil }
            let progress = try reader.opening.progress(of: reader.tables)
            return (card, progress.values.filter { $0.shard == shard })
        }
    }

    /// What the rows of messages are made of, for each row as it is after a job: nil where its content is not retained, and
    /// where another job has come since, or will.
    package mutating func states(
        of rows: [(key: MessageKey, job: JobNumber)]
    ) throws(StorageError) -> [MessageState?] {
        try atOneMoment { (reader) throws(StorageError) in
            // For one question only: content that is to be forgotten stays nowhere.
            var segments = SegmentCache()
            var states: [MessageState?] = []
            for row in rows {
                var state: MessageState?
                if let card = try reader.find(row.key), card.lastJob == row.job {
                    state = try reader.state(card, &segments)
                }
                states.append(state)
            }
            return states
        }
    }

    /// Whether rows may be missing in a shard that were there: its file is another one than is known, or not all of what the one
    /// before it had has been laid out again.
    package func isLaidOutAgain(
        _ shard: Shard, of edition: EditionID, in origin: ShardOrigin
    ) throws(StorageError) -> Bool {
        let place = SQLiteJournal.ProgressPlace(edition: edition, shard: shard)
        guard let known = try opening.progress(of: tables)[place], let file = known.origin else { return false }
        return file != origin || known.walkedTo != nil
    }

    mutating func atOneMoment<Result>(
        _ body: (inout CardReader) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try tables.enter()
        do throws(StorageError) {
            try catchUp()
            let result = try body(&self)
            try tables.database.commit()
            return result
        } catch {
            try tables.database.rollBack()
            throw error
        }
    }

    /// What was said of conversations since the last merge.
    var notes: ConversationNotes { memory.notes }

    /// See `takeTouched`; of this moment.
    mutating func touchedNow() -> [(name: ConversationID, activity: Int64)]? {
        let isFirst = memory.notes.touched == nil
        let names = memory.notes.touched ?? Set(memory.notes.standings.keys)
        memory.notes.touched = []
        let hadGap = hasGap && !isFirst
        hasGap = false
        guard !hadGap else {
            // Who reads all again hears of what was not merged next.
            memory.notes.touched = Set(memory.notes.standings.keys)
            return nil
        }
        let standings = memory.notes.standings
        return names.map { (name: $0, activity: standings[$0]?.activity ?? .min) }
    }

    private func state(
        _ card: MessageCard, _ segments: inout SegmentCache
    ) throws(StorageError) -> MessageState? {
        guard card.deletion == nil, let body = card.body, let order = card.order,
            let segment = try segment(with: body.value.at, &segments)
        else { return nil }
        let range = segment.body(at: body.value.at)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            guard let content = try LogBody.body(segment.bytes[range]) else { return nil }
            return MessageState(
                order: order.value, body: content, status: card.status?.value, reactions: card.shownReactions,
                revision: body.revision)
        } catch {
            return nil
        }
    }

    private func segment(
        with place: LogPosition, _ segments: inout SegmentCache
    ) throws(StorageError) -> LogSegment? {
        if let known = segments.find(place) { return known }
        guard let found = try tables.segment(with: place) else { return nil }
        segments.put(found)
        return found
    }

    private mutating func catchUp() throws(StorageError) {
        let version = try tables.version()
        guard version != self.version else { return }
        let now = try tables.merged()
        if now != merged {
            if now > memory.through { hasGap = true }
            let touched = memory.notes.touched
            memory = CardMemory(after: now)
            memory.notes.touched = touched
        }
        merged = now
        var own = CardMemory(after: memory.through)
        swap(&own, &memory)
        defer { swap(&own, &memory) }
        try opening.entries(of: tables, after: own.through) { own.take($0, at: $1) }
        self.version = version
    }

    private func find(_ key: MessageKey) throws(StorageError) -> MessageCard? {
        var key = key
        for _ in 0..<8 {
            switch try entry(CardKey(key)) {
            case nil: return nil
            case .message(let card): return card
            case .alias(let other, _): key = MessageKey(key.conversation, other)
            }
        }
        return nil
    }

    private func entry(_ key: CardKey) throws(StorageError) -> CardEntry? {
        if let known = memory.cards[key] { return known.entry }
        return try tables.card(key)?.entry
    }
}
