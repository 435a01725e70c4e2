import MessageLayout
import Names
import Pool
import Wire

/// Inspects a world: the invariants when everything has come to rest, and the rows that readers see before that.
struct Inspection {
    private let world: World
    let stage: Stage
    /// The findings of the world, and those of this inspection.
    private(set) var ledger: EventLedger
    /// The number of rows of the served edition.
    private(set) var rows = 0
    /// The number of messages that have neither content nor a row.
    private(set) var unavailable = 0

    init(of world: World) { (self.world, stage, ledger) = (world, world.stage, world.stage.ledger) }

    /// Inspects everything, at rest.
    mutating func run() {
        if world.added != stage.journal.added.map(\.target) { ledger.find("a screen was added, and is not kept") }
        checkAnswers()
        for (edition, shards) in stage.disks.files {
            for file in shards {
                for finding in file.audit.findings { ledger.find(finding) }
                checkOrder(file, edition)
            }
        }
        guard let served = stage.served, let shards = stage.disks.files[served] else {
            if stage.journal.latest.contains(where: { $0 > .zero }) { ledger.find("nothing is served") }
            return
        }
        let fold = MessageFold(stage.script, ledger.journaled)
        checkCards(fold)
        checkConversations()
        checkRows(fold, shards, served)
        checkUnavailable(fold, shards, served)
        checkReaders(shards)
        checkWindows(shards)
        checkShelf(served)
    }

    /// Checks that the answers to producers are true.
    private mutating func checkAnswers() {
        for (line, verdict) in world.producers.verdicts.enumerated() {
            switch verdict {
            case .accepted, .duplicate:
                // A line that only joins two ids of one message is a duplicate once any other line has done so.
                let saysMore = stage.script.lines[line].event?.clientID == nil || verdict == .accepted
                if saysMore, !ledger.journaled.contains(line) {
                    ledger.find("line \(line) was acknowledged, and is not kept")
                }
            case .invalid:
                // The event of a person may be refused first, and kept when it comes again, as its message has come
                // meanwhile.
                if ledger.journaled.contains(line), stage.script.lines[line].subject == nil {
                    ledger.find("line \(line) was refused, and is kept")
                }
            case .superseded, .busy, nil: break
            }
        }
        for line in ledger.journaled where stage.script.lines[line].isForbidden {
            ledger.find("line \(line) deletes what is another's, and is kept")
        }
        if ledger.journaled.count != stage.journal.entries.count + stage.journal.noteCount {
            ledger.find("the journal has what nobody was told")
        }
    }

    private mutating func checkOrder(_ file: ShardFile, _ edition: EditionID) {
        for (message, job, other) in file.audit.overtaken where !ledger.wished.contains(other) {
            // A job that may have brought a worker down was given time.
            guard let conversation = stage.journal.newest[message]?.job.conversation else { continue }
            let place = ShelfPlace(edition: edition, shard: stage.shard(of: conversation), job: job)
            if ledger.suspected[place] == nil { ledger.find("message \(message.number) was overtaken by a later one") }
        }
    }

    /// Checks that the registers are those of all accepted events, in whatever order these came.
    private mutating func checkCards(_ fold: MessageFold) {
        for (key, expected) in fold.messages {
            guard case .message(let card)? = stage.journal.cards[key] else {
                ledger.find("\(key.message) has no card")
                continue
            }
            let body = (card.body?.value.at).flatMap { stage.journal.entries[Int($0.number)].event.body }
            let isSame =
                card.deletion == expected.deletion && body == expected.body?.value
                && card.order?.value == expected.order?.value && card.status?.value == expected.status?.value
                && card.reactions?.value == expected.reactions?.value && card.voices == expected.voices
            if !isSame { ledger.find("the registers of \(key.message) are not the newest that were accepted") }
        }
    }

    /// Checks that the title of a conversation is the newest that was accepted, and every reading the furthest.
    private mutating func checkConversations() {
        var titles: [ConversationID: MessageCard.Register<String>] = [:]
        var readings: [ReadingKey: Int64] = [:]
        for line in ledger.journaled {
            guard let note = stage.script.lines[line].note else { continue }
            if let title = note.title, titles[note.conversation].map({ $0.revision < note.revision }) ?? true {
                titles[note.conversation] = MessageCard.Register(revision: note.revision, value: title)
            }
            guard let reader = note.read?.reader ?? stage.script.lines[line].subject,
                case .order(let order)? = note.read?.place
            else { continue }
            let key = ReadingKey(note.conversation, reader)
            readings[key] = max(readings[key] ?? order, order)
        }
        if stage.journal.conversations.compactMapValues(\.title) != titles { ledger.find("a title is not the newest") }
        if stage.journal.readings != readings { ledger.find("somebody has read less, or more, than was said") }
    }

    /// Checks that the rows are those of the registers, each once, and that there is no other.
    private mutating func checkRows(_ fold: MessageFold, _ shards: [ShardFile], _ edition: EditionID) {
        var expected: [MessageKey: ShardFile.StoredRow] = [:]
        var unsure: Set<MessageKey> = []
        for (key, message) in fold.messages {
            guard let state = message.state else { continue }
            if state.body.content.first != EventScript.plain || isShelved(key, edition) { unsure.insert(key) }
            expected[key] = ShardFile.StoredRow(
                conversation: key.conversation, message: key.message, job: .zero, facts: state.facts,
                key: SimulatedLayout.key(state, edition))
        }
        for file in shards {
            if file.ghosts > 0 { ledger.find("\(file.ghosts) rows were left where a message stood before") }
            for (number, row) in file.rows {
                let key = MessageKey(row.conversation, row.message)
                guard let wanted = expected.removeValue(forKey: key) else {
                    if !unsure.contains(key) {
                        ledger.find(
                            "there is a row of \(row.message) that should not be (message \(number.number))")
                    }
                    continue
                }
                // Without content a row stays as it was laid out, except for its place.
                let isSame =
                    row.facts == wanted.facts
                    && (row.key == wanted.key || world.content.isForgotten(key, stage) && !row.key.isEmpty)
                if !isSame, !unsure.contains(key) {
                    ledger.find("the row of \(row.message) is not of its registers")
                }
            }
        }
        for key in expected.keys where !unsure.contains(key) && !world.content.isBereft(key, stage) {
            ledger.find("\(key.message) has no row")
        }
        rows = shards.reduce(0) { $0 + $1.rows.count }
    }

    private func isShelved(_ key: MessageKey, _ edition: EditionID) -> Bool {
        guard case .message(let card)? = stage.journal.cards[key], let job = card.lastJob else { return false }
        let shard = stage.shard(of: key.conversation)
        return stage.journal.shelf[ShelfPlace(edition: edition, shard: shard, job: job)] != nil
    }

    private mutating func checkReaders(_ shards: [ShardFile]) {
        for reader in world.readers.seats {
            for (file, view) in reader.views.enumerated() where view.rows != shards[file].rows {
                ledger.find("a reader missed a change of file \(file)")
            }
        }
    }

    /// Checks that messages are shelved if they are refused, or brought three workers down, and no others.
    private mutating func checkShelf(_ edition: EditionID) {
        let limits = stage.scenario.dispatchLimits
        for place in stage.journal.shelf.keys where place.edition == edition {
            let kind = stage.journal.kinds[Int(place.shard.number)][Int(place.job.number) - 1]
            let hadBegun =
                ledger.begun[place, default: 0] >= limits.strikes
                || ledger.suspected[place, default: 0] >= limits.doubts
            if kind != EventScript.refused, !hadBegun {
                ledger.find("job \(place.job.number) was given up, and had not begun")
            }
        }
        for (message, due) in stage.journal.newest
        where due.job.content?.first ?? EventScript.plain != EventScript.plain {
            let shard = stage.shard(of: due.job.conversation)
            if stage.journal.shelf[ShelfPlace(edition: edition, shard: shard, job: due.job.number)] == nil {
                ledger.find("message \(message.number) cannot be laid out, and is not shelved")
            }
        }
    }

    /// Checks that no message is reported as pending for ever, and that all unavailable ones are counted.
    private mutating func checkUnavailable(_ fold: MessageFold, _ shards: [ShardFile], _ edition: EditionID) {
        let keys = fold.messages.filter { $0.value.state != nil }.keys
        var missing = 0
        for key in keys where world.content.isForgotten(key, stage) {
            guard case .message(let card)? = stage.journal.cards[key] else { continue }
            let shard = stage.shard(of: key.conversation)
            guard !stage.disks.hasRow(card.number, shard, in: stage.shownEditions) else { continue }
            if world.content.bereft.contains(card.number) { missing += 1 }
            if !world.content.isGone(card, shard, stage) {
                ledger.find("\(key.message) is said to be on its way for ever")
            }
        }
        let counted = world.coordinator?.dispatcher.content(
            forgotten: Array(repeating: 0, count: stage.scenario.shards)
        )
        .unavailable
        if counted != missing {
            ledger.find("\(missing) messages are unavailable, and \(counted ?? 0) are counted")
        }
        unavailable = missing
    }

    /// Reads every conversation from its end to its beginning, and some of it again. No page may lack stored contents
    /// of its rows, however large it is beside the gateway's cache.
    private mutating func checkWindows(_ shards: [ShardFile]) {
        var dice = Dice(seed: ~stage.scenario.seed << 2)
        for file in shards {
            let conversations = Dictionary(grouping: file.rows, by: \.value.conversation)
            for (_, rows) in conversations.sorted(by: { $0.key.text < $1.key.text }) {
                let rows = rows.map { PageReader.Row(number: $0.key, row: $0.value) }.sorted {
                    $0.position < $1.position
                }
                var reader = PageReader(rows, stage.scenario.bug, &dice)
                ledger.findSome(reader.readAll())
            }
        }
    }

    /// Checks, after everything has healed and before the new edition is complete, that all accepted messages are
    /// shown, and no deleted ones.
    mutating func glance() {
        guard let view = stage.view, view.current == Scenario.old || view.filler != nil,
            let shards = stage.disks.files[view.current]
        else { return }
        var shown: [MessageNumber: MessageKey] = [:]
        for edition in [view.filler, view.current].compactMap(\.self) {
            for file in stage.disks.files[edition] ?? shards {
                for (number, row) in file.rows { shown[number] = MessageKey(row.conversation, row.message) }
            }
        }
        let keys = Set(shown.values)
        let fold = MessageFold(stage.script, ledger.journaled)
        for (key, message) in fold.messages {
            // Messages in a lost file come with the walk that waits.
            let isLost = stage.disks.lost.contains(stage.shard(of: key.conversation))
            if !isLost, message.state?.body.content.first == EventScript.plain, !keys.contains(key) {
                ledger.find(
                    "\(key.message) was accepted, and is shown by no edition while the next one is laid out")
            }
            if message.state == nil, message.deletion != nil, keys.contains(key) {
                ledger.find("\(key.message) was deleted, and is shown while the next edition is laid out")
            }
        }
    }
}
