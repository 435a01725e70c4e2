import Conversation
import Names
import Operations
import Pool
import Storage
import Wire

private let log = Log("gateway")

/// The list of conversations that a reader may see, those first that were active last, each as one line.
///
/// Names and activities are in memory, as the journal has them. They are read at the first request, a slice at once
/// and another one in each turn of the loop, and then followed. All else is read for each page: title, picture and
/// reading place from the journal, the last row and the number of unread rows from the shard. So a row that is
/// deleted leaves the list with the commit that removes it, as it leaves windows.
final class ConversationDesk {
    private let folder: DataFolder
    private var journal: Journal?
    private var shards: [Shard: Rows] = [:]
    /// The edition that the shards are of.
    private var edition: EditionID?
    private var askedAt: ContinuousClock.Instant?
    private var followedAt: ContinuousClock.Instant?
    /// Whether a stream follows the list. It is set before the first page, so that no change behind that page is
    /// missed.
    var isFollowed = false {
        didSet { if !isFollowed { (news, reached, hasLost) = ([], nil, false) } }
    }
    /// Conversations whose lines may have changed since `takeNews` was last called.
    private var news: Set<ConversationID> = []
    /// Whether a change was missed.
    private var hasLost = false
    /// The place in each shard up to which changes were read; nil before the first look. A shard without one was not
    /// there at that look.
    private var reached: [Shard: Cursor]?

    /// The journal's reader, and the index that is made of it.
    private final class Journal {
        var cards: CardReader
        var index = ConversationIndex()
        /// The last name that was read, until all are.
        var reached: ConversationID?
        var isWhole = false
        init(_ cards: consuming CardReader) { self.cards = cards }
    }

    /// The rows of one shard.
    private final class Rows {
        var reader: ShardReader
        init(_ reader: consuming ShardReader) { self.reader = reader }
    }

    private static let namesAtOnce = 2048
    private static let pause: Duration = .milliseconds(100)
    /// The pause while a stream follows the list.
    private static let tick: Duration = .milliseconds(10)
    private static let changesAtOnce = 1024
    /// The time without a request after which the list is forgotten.
    private static let patience: Duration = .seconds(600)

    init(in folder: DataFolder) { self.folder = folder }

    enum Refusal: Error {
        /// The list is on its way into memory, or its files cannot be read at the moment.
        case busy
        /// The journal is not at hand here.
        case absent
    }

    /// The number of known conversations.
    var count: Int { journal?.index.count ?? 0 }
    /// Bytes of memory that the list takes, about.
    private(set) var bytes = 0
    /// Whether there is more to read before the first answer.
    var isLoading: Bool { journal.map { !$0.isWhole } ?? false }

    /// Returns the next lines of a list.
    /// - Parameters:
    ///   - reader: the reader whose reading place and unread rows are given; nil where nothing is counted.
    ///   - served: the edition whose rows are shown, and the number of its shards.
    func page(
        of scope: ConversationIndex.Scope, after place: ConversationIndex.Place?, count: Int, for reader: SenderID?,
        served: (edition: EditionID?, shards: Int), at now: ContinuousClock.Instant
    ) throws(Refusal) -> [ListedConversation] {
        askedAt = now
        do throws(StorageError) {
            try open()
            // A short list is complete for its first reader already.
            try load()
            try follow(at: now)
            // Changes from here on are told.
            if isFollowed, reached == nil { try followShards(served) }
            guard let journal, journal.isWhole else { throw StorageError.absent(path: folder.path) }
            let places = journal.index.page(of: scope, after: place, count: count)
            let kept = try journal.cards.kept(of: places.map(\.name), for: reader)
            return try lines(places, kept, for: reader, served, in: journal)
        } catch {
            if journal == nil { throw .absent }
            giveUp(error)
            throw .busy
        }
    }

    /// Forgets a list that was there, and of which something could not be read.
    private func giveUp(_ error: StorageError) {
        guard journal?.isWhole ?? false else { return }
        log.warning("conversations could not be listed", ["reason": "\(error)"])
        forget()
    }

    /// Returns the lines of some conversations as they are now.
    func lines(
        of names: [ConversationID], for reader: SenderID?, served: (edition: EditionID?, shards: Int),
        at now: ContinuousClock.Instant
    ) throws(Refusal) -> [ListedConversation] {
        askedAt = now
        do throws(StorageError) {
            guard let journal, journal.isWhole else { throw StorageError.absent(path: folder.path) }
            let places = names.map {
                ConversationIndex.Place(activity: journal.index.activity(of: $0) ?? .min, name: $0)
            }
            return try lines(places, journal.cards.kept(of: names, for: reader), for: reader, served, in: journal)
        } catch {
            // Its followers begin anew: else the same would be read again in each turn, for as long as it fails.
            giveUp(error)
            throw .busy
        }
    }

    /// Takes the conversations whose lines are to be told again.
    func takeNews() -> Set<ConversationID> {
        defer { news = [] }
        return news
    }

    /// Whether a change was missed since this was asked last.
    func takeLoss() -> Bool {
        defer { hasLost = false }
        return hasLost
    }

    private func open() throws(StorageError) {
        guard journal == nil else { return }
        let journal = Journal(try CardReader(in: folder))
        for (name, activity) in try journal.cards.takeTouched() ?? [] { journal.index.put(name, activity: activity) }
        self.journal = journal
    }

    /// Reads on for about a millisecond, and follows changes; to be called in each turn of the loop.
    func proceed(served: (edition: EditionID?, shards: Int), at now: ContinuousClock.Instant) {
        guard isFollowed || askedAt.map({ now < $0 + Self.patience }) ?? false else {
            if journal != nil { forget() }
            return
        }
        do throws(StorageError) {
            try open()
            try load()
            let pause = isFollowed ? Self.tick : Self.pause
            guard followedAt.map({ now >= $0 + pause }) ?? true else { return }
            try follow(at: now)
            if isFollowed { try followShards(served) }
        } catch .absent {
            return
        } catch {
            log.warning("the list of conversations is read anew", ["reason": "\(error)"])
            forget()
        }
    }

    private func load() throws(StorageError) {
        guard let journal, !journal.isWhole else { return }
        let page = try journal.cards.conversations(after: journal.reached, limit: Self.namesAtOnce)
        for (name, activity) in page { journal.index.put(name, activity: activity) }
        journal.reached = page.last?.name ?? journal.reached
        bytes = journal.index.bytes
        if page.count < Self.namesAtOnce {
            journal.isWhole = true
            log.info("conversations are listed", ["count": .number(journal.index.count)])
        }
    }

    private func follow(at now: ContinuousClock.Instant) throws(StorageError) {
        guard let journal else { return }
        followedAt = now
        guard let touched = try journal.cards.takeTouched() else {
            // More was merged meanwhile than the reader knows of.
            (journal.reached, journal.isWhole) = (nil, false)
            hasLost = isFollowed
            return
        }
        for (name, activity) in touched {
            journal.index.put(name, activity: activity)
            if isFollowed { news.insert(name) }
        }
        if !touched.isEmpty { bytes = journal.index.bytes }
    }

    /// Notes rows that came, changed or went since the last look.
    private func followShards(_ served: (edition: EditionID?, shards: Int)) throws(StorageError) {
        turn(to: served.edition)
        let isFirst = self.reached == nil
        var reached = self.reached ?? [:]
        for number in 0..<served.shards {
            let shard = Shard(UInt16(number))
            guard let rows = try self.rows(of: shard) else { continue }
            do throws(StorageError) {
                if isFirst { reached[shard] = try rows.reader.cursor() }
                let cursor = if let known = reached[shard] { known } else { try rows.reader.start() }
                switch try rows.reader.changes(since: cursor, limit: Self.changesAtOnce) {
                case .notes(let notes, let cursor, _):
                    reached[shard] = cursor
                    for note in notes { news.insert(note.conversation) }
                case .resync(let cursor): (reached[shard], hasLost) = (cursor, true)
                }
            } catch .corrupt {
                // It is laid out again. When its file is begun anew, a change was missed, and streams begin anew.
                shards[shard] = nil
            }
        }
        self.reached = reached
    }

    private func forget() {
        (journal, shards, edition, askedAt, followedAt) = (nil, [:], nil, nil, nil)
        bytes = 0
        (reached, hasLost) = (nil, isFollowed)
    }

    private func turn(to served: EditionID?) {
        guard edition != served else { return }
        // Where none was served, there were no rows to be missed.
        if edition != nil { (reached, hasLost) = (nil, hasLost || isFollowed) }
        (edition, shards) = (served, [:])
    }

    private func lines(
        _ places: [ConversationIndex.Place], _ kept: [KeptConversation], for reader: SenderID?,
        _ served: (edition: EditionID?, shards: Int), in journal: Journal
    ) throws(StorageError) -> [ListedConversation] {
        turn(to: served.edition)
        let rows = try lastRows(of: places.map(\.name), kept, for: reader, among: served.shards)
        let asked = zip(places, rows).compactMap { place, row in
            row.map { (key: MessageKey(place.name, $0.message), job: $0.job) }
        }
        var states = try journal.cards.states(of: asked)[...]
        var lines: [ListedConversation] = []
        for (number, place) in places.enumerated() {
            lines.append(
                ListedConversation(
                    name: place.name, activity: place.activity == .min ? nil : place.activity, kept: kept[number],
                    last: rows[number], said: rows[number] == nil ? nil : states.removeFirst(), isCounted: reader != nil
                ))
        }
        return lines
    }

    /// Returns the last row of each conversation; each shard is asked once. Nil, too, while the file of the shard is
    /// not there, or is being laid out again.
    private func lastRows(
        of conversations: [ConversationID], _ kept: [KeptConversation], for reader: SenderID?, among count: Int
    ) throws(StorageError) -> [LastRow?] {
        var found = [LastRow?](repeating: nil, count: conversations.count)
        guard count > 0 else { return found }
        let places = Dictionary(grouping: conversations.indices) { Shard(of: conversations[$0], among: count) }
        for (shard, places) in places {
            let questions = places.map { LastRowQuestion(conversations[$0], readUpTo: kept[$0].readUpTo) }
            do throws(StorageError) {
                guard let rows = try self.rows(of: shard) else { continue }
                let last = try rows.reader.lastRows(
                    of: questions, for: reader, countingUpTo: ListedConversation.mostUnread)
                for (place, row) in zip(places, last) { found[place] = row }
            } catch .corrupt {
                shards[shard] = nil
            }
        }
        return found
    }

    /// Returns the rows of a shard; nil while nothing was stored there, or its file is damaged.
    private func rows(of shard: Shard) throws(StorageError) -> Rows? {
        if let known = shards[shard] { return known }
        guard let edition else { return nil }
        do throws(StorageError) {
            let rows = Rows(try ShardReader(shard, of: edition, in: folder))
            shards[shard] = rows
            return rows
        } catch .absent {
            return nil
        } catch .corrupt {
            return nil
        }
    }
}
