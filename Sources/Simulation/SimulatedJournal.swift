import MessageLayout
import Names
import Pool
import Wire

/// A journal on a disk that fails when the world decides so.
struct SimulatedJournal: Journal {
    enum Failure: Error { case full }

    private(set) var term: UInt64 = 0
    private(set) var entries: [JournalEntry] = []
    private(set) var cards: [MessageKey: CardEntry] = [:]
    private(set) var conversations: [ConversationID: ConversationCard] = [:]
    private(set) var readings: [ReadingKey: Int64] = [:]
    private(set) var noteCount = 0
    private(set) var shelf: [ShelfPlace: ShelvedJob] = [:]
    private(set) var service: EditionService?
    private(set) var added: [AddedTarget] = []
    private(set) var newest: [MessageNumber: DueJob] = [:]
    /// By message, the first job that laid it out, and whether all of its jobs are live.
    private(set) var firsts: [MessageNumber: (job: JobNumber, isLive: Bool)] = [:]
    private var progress: [ShardProgress] = []
    /// By shard, the message of every job.
    private var jobs: [[MessageNumber]]
    /// By shard, the fate of every job, as the first byte of its content.
    private(set) var kinds: [[UInt8?]]
    /// By shard, the messages in order.
    private var messages: [[MessageNumber]]
    /// Bodies that are no longer kept, with their messages.
    private(set) var forgotten: [LogPosition: MessageNumber] = [:]
    var isFull = false
    let bug: PlantedBug?

    init(shards: Int, bug: PlantedBug?) {
        jobs = Array(repeating: [], count: shards)
        messages = jobs
        kinds = Array(repeating: [], count: shards)
        self.bug = bug
    }

    mutating func open() {
        if bug != .doubleLease || term == 0 { term += 1 }
    }

    var latest: [JobNumber] { jobs.map { JobNumber(UInt64($0.count)) } }
    func standing() -> Standing {
        let progress = progress.sorted { ($0.edition, $0.shard) < ($1.edition, $1.shard) }
        return Standing(service: service, progress: progress, latest: latest, added: added)
    }

    func card(_ key: MessageKey) -> CardEntry? {
        guard bug == .staleRevisionWins, case .message(var card)? = cards[key] else { return cards[key] }
        card.body?.revision = Revision(0)
        return .message(card)
    }

    func conversation(_ id: ConversationID) -> ConversationCard? { conversations[id] }
    func readPlace(_ key: ReadingKey) -> Int64? { readings[key] }

    func body(at place: LogPosition) -> MessageBody? {
        forgotten[place] == nil ? entries[Int(place.number)].event.body : nil
    }
    var nextPosition: LogPosition { LogPosition(Int64(entries.count)) }
    func nextJob(in shard: Shard) -> JobNumber { JobNumber(UInt64(jobs[Int(shard.number)].count + 1)) }

    /// The progress of a shard in an edition.
    func progress(of edition: EditionID, in shard: Shard) -> ShardProgress? {
        progress.first { $0.edition == edition && $0.shard == shard }
    }

    /// Forgets the content of messages that every edition has laid out as they are now.
    /// - Returns: the messages whose content was forgotten.
    mutating func forgetContent() -> [MessageNumber] {
        var gone: [MessageNumber] = []
        for (key, entry) in cards {
            guard case .message(let card) = entry, card.deletion == nil, let body = card.body?.value.at,
                let order = card.order, forgotten[body] == nil, let job = card.lastJob
            else { continue }
            let shard = Shard(of: key.conversation, among: jobs.count)
            let known = progress.filter { $0.shard == shard }
            let isDone = known.allSatisfy { progress in
                progress.isDone(job) && (progress.hasWalked(to: card.number) || bug == .forgottenUnderWalk)
            }
            // A shelved message was never laid out.
            let isGivenUp = shelf.values.contains { $0.message == card.number }
            guard isDone, !isGivenUp, !known.isEmpty, newest[card.number]?.job.number == job else { continue }
            forgotten[body] = card.number
            newest[card.number]?.job.work = .amend(order: order.value, status: card.status?.value)
            gone.append(card.number)
        }
        return gone.sorted()
    }

    mutating func commit(_ turn: JournalTurn) throws(Failure) {
        if isFull { throw .full }
        for entry in turn.entries { append(entry) }
        for note in turn.notes {
            noteCount += 1
            switch note.said {
            case .card(let card): conversations[note.conversation] = card
            case .read(let reader, let order): readings[ReadingKey(note.conversation, reader)] = order
            }
        }
        let record = turn.record
        for edition in record.retired {
            progress.removeAll { $0.edition == edition }
            shelf = shelf.filter { $0.key.edition != edition }
        }
        for progress in record.progress {
            self.progress.removeAll { $0.edition == progress.edition && $0.shard == progress.shard }
            self.progress.append(progress)
        }
        for job in record.shelved { shelf[job.place] = job }
        shelf = shelf.filter { place, shelved in
            guard let newest = newest[shelved.message]?.job else { return !record.unshelved.contains(place) }
            return !record.unshelved.contains(place) && newest.work != .remove && newest.number <= place.job
        }
        if let service = record.service { self.service = service }
        if let added = record.added { self.added = added.sorted { $0.target.precedes($1.target) } }
    }

    private mutating func append(_ entry: JournalEntry) {
        entries.append(entry)
        for change in entry.cards { cards[change.key] = change.entry }
        for job in entry.jobs {
            let shard = Int(Shard(of: job.conversation, among: jobs.count).number)
            precondition(job.number.number == UInt64(jobs[shard].count + 1))
            jobs[shard].append(job.message)
            newest[job.message] = DueJob(job.again, lane: entry.lane)
            kinds[shard].append(job.content?.first)
            let first = firsts[job.message]
            firsts[job.message] = (first?.job ?? job.number, first?.isLive ?? true && entry.lane == .live)
            if first == nil {
                let place = messages[shard].lastIndex { $0 < job.message }.map { $0 + 1 } ?? 0
                messages[shard].insert(job.message, at: place)
            }
        }
    }

    func unfinished(in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int) -> JobPage {
        let numbers = jobs[Int(shard.number)]
        let last = JobNumber(UInt64(numbers.count))
        if bug == .lostOnRestart { return JobPage(jobs: [], through: last) }
        let known = progress.first { $0.edition == edition && $0.shard == shard }
        var page: [DueJob] = []
        for number in Int(
            max(after, known?.through ?? .zero).number)..<max(
                numbers.count, Int(max(after, known?.through ?? .zero).number))
        {
            let job = JobNumber(UInt64(number + 1))
            guard let due = newest[numbers[number]], due.job.number == job else { continue }
            guard !(known?.beyond.contains { $0.contains(job) } ?? false) else { continue }
            page.append(due)
            if page.count == limit { return JobPage(jobs: page, through: job) }
        }
        return JobPage(jobs: page, through: last)
    }

    func numbers(in shard: Shard) -> [MessageNumber] { messages[Int(shard.number)] }

    func messages(in shard: Shard, after: MessageNumber, limit: Int) -> [LayoutJob] {
        var page: [LayoutJob] = []
        for message in messages[Int(shard.number)] where message > after {
            guard let due = newest[message], due.job.work != .remove else { continue }
            page.append(due.job)
            if page.count == limit { break }
        }
        return page
    }

    func recent(in shard: Shard, after walk: RecentWalk, limit: Int) -> RecentPage {
        var walk = walk
        if walk.found == nil {
            let own = cards.filter { Shard(of: $0.key.conversation, among: jobs.count) == shard }
            walk.found = NewestMessages.oldestFirst(of: own.map { ($0.key, $0.value) })
        }
        let page = walk.found!.suffix(limit).reversed().compactMap { newest[$0.number]?.job }
        walk.found!.removeLast(min(limit, walk.found!.count))
        return RecentPage(jobs: page, rest: walk.found!.isEmpty ? nil : walk)
    }

    func shelved(after: ShelfPlace?, limit: Int) -> [ShelvedJob] {
        Array(
            shelf.values.filter { job in after.map { job.place > $0 } ?? true }.sorted { $0.place < $1.place }.prefix(
                limit))
    }

    func job(at place: ShelfPlace) -> LayoutJob? { shelf[place].flatMap { newest[$0.message]?.job } }
}

extension LayoutJob {
    /// The same job, from a page: its row may be there by now.
    fileprivate var again: LayoutJob {
        guard case .layOut(var state) = work else { return self }
        state.isFirst = false
        var job = self
        job.work = .layOut(state)
        return job
    }
}
