import Bytes
package import Names
package import Pool
package import Wire

/// A reader that looks up messages by their names in a journal that another process writes. It changes nothing.
///
/// Entries that are not merged yet are remembered from one look to the next, so that each reads only the new ones.
package struct CardReader: ~Copyable {
    private let opening: JournalOpening
    let tables: JournalTables
    private let folder: DataFolder
    private var follower: LogFollower
    private var index: LogIndex
    private var place: LogPlace
    /// The version of the file at the last look.
    private var version: Int64?
    /// Whether entries were merged that this reader never saw, so that followers of conversations have missed some.
    private var hasGap = false

    /// Throws `.absent` where there is no journal, or one that was last opened by a build whose log was a table.
    package init(in folder: DataFolder) throws(StorageError) {
        let database = try JournalReader.open(in: folder)
        guard let place = try LogPlace.read(from: database) else { throw .absent(path: database.path) }
        let opening = try JournalOpening(folder, JournalSettings())
        let tables = try JournalTables(database)
        follower = LogFollower(place, in: folder, try opening.progress(of: tables))
        self.opening = opening
        (self.folder, self.place) = (folder, place)
        index = LogIndex(in: folder.file(SegmentName.folder))
        self.tables = tables
    }

    /// The message that a key leads to, through other ids that it has had; nil where there is none.
    package mutating func message(_ key: MessageKey) throws(StorageError) -> MessageCard? {
        try atOneMoment { (reader) throws(StorageError) in try reader.find(key) }
    }

    /// Whether a message of the conversation was ever accepted, also one that was deleted since.
    package mutating func knows(_ conversation: ConversationID) throws(StorageError) -> Bool {
        try atOneMoment { (reader) throws(StorageError) in try reader.hasCards(of: conversation) }
    }

    private func hasCards(of conversation: ConversationID) throws(StorageError) -> Bool {
        let start = CardKey.start(of: conversation)
        if try tables.hasCard(from: start) { return true }
        return follower.memory.cards.keys.contains { $0.bytes.starts(with: start) }
    }

    /// The message that a key leads to, and the progress of its shard in every edition at that
    /// moment: the rows of jobs that are done there have been in their files.
    package mutating func standing(
        of key: MessageKey, in shard: Shard
    ) throws(StorageError) -> (card: MessageCard, progress: [ShardProgress])? {
        try atOneMoment { (reader) throws(StorageError) in
            guard let card = try reader.find(key) else { return nil }
            return (card, reader.follower.progress.values.filter { $0.shard == shard })
        }
    }

    /// The states that rows are made of, one for each row as a job left it: nil where its content
    /// is not retained, and where another job has come since, or will.
    package mutating func states(
        of rows: [(key: MessageKey, job: JobNumber)]
    ) throws(StorageError) -> [MessageState?] {
        try atOneMoment { (reader) throws(StorageError) in
            var cards: [MessageCard?] = []
            for row in rows {
                let card = try reader.find(row.key)
                cards.append(card?.lastJob == row.job ? card : nil)
            }
            let bodies = try reader.bodies(at: cards.compactMap { $0?.body?.value.at })
            return cards.map { card in card.flatMap { Self.state($0, bodies) } }
        }
    }

    /// Whether a shard may lack rows of a conversation that it had: its file is another one than the journal knows,
    /// or the rows of the file before it are not all laid out again. Of the first file of a shard nothing is noted
    /// until its first rows are on the disk, and the file may be lost before that.
    package mutating func isLaidOutAgain(
        _ conversation: ConversationID, in shard: Shard, of edition: EditionID, from origin: ShardOrigin
    ) throws(StorageError) -> Bool {
        let place = SQLiteJournal.ProgressPlace(edition: edition, shard: shard)
        return try atOneMoment { (reader) throws(StorageError) in
            guard let known = reader.follower.progress[place], let file = known.origin else {
                return try reader.hasCards(of: conversation)
            }
            return file != origin || known.walkedTo != nil
        }
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

    /// The changes of conversations since the last merge.
    var notes: ConversationNotes { follower.memory.notes }

    /// The answer to `takeTouched` at this moment.
    mutating func touchedNow() throws(StorageError) -> [(name: ConversationID, activity: Int64)]? {
        let isFirst = notes.touched == nil
        let names = notes.touched ?? notes.conversations
        follower.touched = []
        let hadGap = hasGap && !isFirst
        hasGap = false
        guard !hadGap else {
            // A reader that reads all again is told of the unmerged changes next.
            follower.touched = notes.conversations
            return nil
        }
        let standings = notes.standings
        // A merge may have taken a change into the tables since it was seen.
        let merged = try ConversationTables.activity(
            of: names.filter { standings[$0]?.activity == nil }, in: tables.database)
        return names.map { (name: $0, activity: standings[$0]?.activity ?? merged[$0] ?? .min) }
    }

    private static func state(_ card: MessageCard, _ bodies: [LogPosition: [UInt8]]) -> MessageState? {
        guard card.deletion == nil, let body = card.body, let order = card.order,
            let bytes = bodies[body.value.at], !bytes.isEmpty
        else { return nil }
        do throws(ByteError) {
            guard let content = try LogBody.body(bytes[...]) else { return nil }
            return MessageState(
                order: order.value, body: content, status: card.status?.value, reactions: card.shownReactions,
                revision: body.revision)
        } catch {
            return nil
        }
    }

    /// The bodies at some places, read anew for each question: content that is to be forgotten is cached nowhere.
    private mutating func bodies(at places: [LogPosition]) throws(StorageError) -> [LogPosition: [UInt8]] {
        var bodies = try index.bodies(at: places)
        let missing = places.filter { bodies[$0] == nil }
        if missing.isEmpty { return bodies }
        // A segment may have come since, or gone.
        try index.refresh()
        bodies.merge(try index.bodies(at: missing)) { first, _ in first }
        return bodies
    }

    /// Reads the tables first and then the log, as entries that have left the log are in the tables by then.
    private mutating func catchUp() throws(StorageError) {
        for attempt in 0..<9 {
            let version = try tables.version()
            if version != self.version {
                guard let now = try LogPlace.read(from: tables.database) else {
                    throw .absent(path: tables.database.path)
                }
                if now != place || self.version == nil {
                    if now.cursor.next > follower.next { hasGap = true }
                    let touched = notes.touched
                    follower = LogFollower(now, in: folder, try opening.progress(of: tables))
                    follower.touched = touched
                    place = now
                }
                self.version = version
            }
            do throws(StorageError) {
                // A frame that is not whole at the second look is being written, and not acknowledged.
                if try follower.advance() || attempt > 0 { return }
            } catch .absent {}
            try tables.database.rollBack()
            try tables.enter()
            self.version = nil
        }
        throw .absent(path: tables.database.path)
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
        if let known = follower.memory.cards[key] { return known.entry }
        return try tables.card(key)?.entry
    }
}
