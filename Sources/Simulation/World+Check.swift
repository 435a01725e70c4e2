import MessageLayout
import Names
import Pool
import Wire

/// What must be true when everything has come to rest, and what must be true all the time.
extension World {
    var isAtRest: Bool {
        guard let coordinator, coordinator.turn == nil, coordinator.mail.isEmpty else { return false }
        guard verdicts.indices.allSatisfy({ verdicts[$0] != nil || givenUp.contains($0) }) else { return false }
        return coordinator.dispatcher.isAtRest && (!scenario.isForgetting || coordinator.dispatcher.isRecorded)
            && (!scenario.isRolling || served == Scenario.new)
            && !isHeldUp
            && workers.allSatisfy {
                $0.isGone || $0.process?.edition == $0.edition && $0.process?.worker.added == added
            }
    }

    /// What the coordinator has laid out for beside what styles prepare.
    private var added: [Target] { coordinator?.dispatcher.demand.targets ?? [] }

    /// Why it is not at rest.
    var unrest: String {
        guard let coordinator else { return "no coordinator" }
        let unanswered = verdicts.indices.count { verdicts[$0] == nil && !givenUp.contains($0) }
        let editions = coordinator.dispatcher.status.editions.map { edition in
            "\(edition.name): \(edition.undone) undone, \(edition.shards.map(\.waiting)) wait, "
                + "\(edition.shardsWalking) walk"
        }
        return
            "\(unanswered) events without an answer; \(editions); \(coordinator.dispatcher.status.workers.count) workers"
    }

    mutating func audit() {
        for finding in coordinator!.dispatcher.audit() where findings.count < 20 { findings.append(finding) }
    }

    mutating func check() {
        if coordinator != nil { audit() }
        if added != journal.added.map(\.target) { findings.append("a screen was added, and is not kept") }
        for seat in readers.indices { readAll(seat) }
        checkAnswers()
        for (edition, shards) in files {
            for file in shards {
                findings += file.audit.findings
                checkOrder(file, edition)
            }
        }
        guard let served, let shards = files[served] else {
            if journal.latest.contains(where: { $0 > .zero }) { findings.append("nothing is served") }
            return
        }
        let fold = MessageFold(script, journaled)
        checkCards(fold)
        checkConversations()
        checkRows(fold, shards, served)
        checkUnavailable(fold, shards, served)
        checkReaders(shards)
        checkWindows(shards)
        checkShelf(served)
    }

    /// What a producer was told is true.
    private mutating func checkAnswers() {
        for (line, verdict) in verdicts.enumerated() {
            switch verdict {
            case .accepted, .duplicate:
                // What says only that two ids are of one message is known when any other line has said it.
                let saysMore = script.lines[line].event?.clientID == nil || verdict == .accepted
                if saysMore, !journaled.contains(line) {
                    findings.append("line \(line) was acknowledged, and is not kept")
                }
            case .invalid:
                // To a person the same may be refused first, and kept when it comes again: what it is about has come meanwhile.
                if journaled.contains(line), script.lines[line].subject == nil {
                    findings.append("line \(line) was refused, and is kept")
                }
            case .superseded, .busy, nil: break
            }
        }
        for line in journaled where script.lines[line].isForbidden {
            findings.append("line \(line) deletes what is another's, and is kept")
        }
        if journaled.count != journal.entries.count + journal.noteCount {
            findings.append("the journal has what nobody was told")
        }
    }

    private mutating func checkOrder(_ file: ShardFile, _ edition: EditionID) {
        for (message, job, other) in file.audit.overtaken where !wished.contains(other) {
            // One that may have brought a worker down was given time.
            guard let conversation = journal.newest[message]?.job.conversation else { continue }
            let place = ShelfPlace(edition: edition, shard: Shard(of: conversation, among: scenario.shards), job: job)
            if suspected[place] == nil { findings.append("message \(message.number) was overtaken by a later one") }
        }
    }

    /// The registers are those of all accepted events, whatever their order was.
    private mutating func checkCards(_ fold: MessageFold) {
        for (key, expected) in fold.messages {
            guard case .message(let card)? = journal.cards[key] else {
                findings.append("\(key.message) has no card")
                continue
            }
            let body = (card.body?.value.at).flatMap { journal.entries[Int($0.number)].event.body }
            let isSame =
                card.deletion == expected.deletion && body == expected.body?.value
                && card.order?.value == expected.order?.value && card.status?.value == expected.status?.value
                && card.reactions?.value == expected.reactions?.value && card.voices == expected.voices
            if !isSame { findings.append("the registers of \(key.message) are not the newest that were accepted") }
        }
    }

    /// The title of a conversation is the newest that was accepted, and everybody has read as far as was ever said.
    private mutating func checkConversations() {
        var titles: [ConversationID: MessageCard.Register<String>] = [:]
        var readings: [ReadingKey: Int64] = [:]
        for line in journaled {
            guard let note = script.lines[line].note else { continue }
            if let title = note.title, titles[note.conversation].map({ $0.revision < note.revision }) ?? true {
                titles[note.conversation] = MessageCard.Register(revision: note.revision, value: title)
            }
            guard let reader = note.read?.reader ?? script.lines[line].subject,
                case .order(let order)? = note.read?.place
            else { continue }
            let key = ReadingKey(note.conversation, reader)
            readings[key] = max(readings[key] ?? order, order)
        }
        if journal.conversations.compactMapValues(\.title) != titles { findings.append("a title is not the newest") }
        if journal.readings != readings { findings.append("somebody has read less, or more, than was said") }
    }

    /// The rows are those of the registers, each once, and there is no other.
    private mutating func checkRows(_ fold: MessageFold, _ shards: [ShardFile], _ edition: EditionID) {
        var expected: [MessageKey: ShardFile.StoredRow] = [:]
        var unsure: Set<MessageKey> = []
        for (key, message) in fold.messages {
            guard let state = message.state else { continue }
            if state.body.content.first != Script.plain || isShelved(key, edition) { unsure.insert(key) }
            expected[key] = ShardFile.StoredRow(
                conversation: key.conversation, message: key.message, job: .zero, facts: state.facts,
                key: SimulatedLayout.key(state, edition))
        }
        for file in shards {
            if file.ghosts > 0 { findings.append("\(file.ghosts) rows were left where a message stood before") }
            for (number, row) in file.rows {
                let key = MessageKey(row.conversation, row.message)
                guard let wanted = expected.removeValue(forKey: key) else {
                    if !unsure.contains(key) {
                        findings.append(
                            "there is a row of \(row.message) that should not be (message \(number.number))")
                    }
                    continue
                }
                // Without content it stays as it was laid out, but for where it stands.
                let isSame =
                    row.facts == wanted.facts && (row.key == wanted.key || isForgotten(key) && !row.key.isEmpty)
                if !isSame, !unsure.contains(key) {
                    findings.append("the row of \(row.message) is not of its registers")
                }
            }
        }
        for key in expected.keys where !unsure.contains(key) && !isBereft(key) {
            findings.append("\(key.message) has no row")
        }
        tally.rows = shards.reduce(0) { $0 + $1.rows.count }
    }

    private func isShelved(_ key: MessageKey, _ edition: EditionID) -> Bool {
        guard case .message(let card)? = journal.cards[key], let job = card.lastJob else { return false }
        let shard = Shard(of: key.conversation, among: scenario.shards)
        return journal.shelf[ShelfPlace(edition: edition, shard: shard, job: job)] != nil
    }

    private mutating func checkReaders(_ shards: [ShardFile]) {
        for reader in readers {
            for (file, view) in reader.views.enumerated() where view.rows != shards[file].rows {
                findings.append("a reader missed a change of file \(file)")
            }
        }
    }

    /// Only what is refused, or brought three workers down, is given up; and that is.
    private mutating func checkShelf(_ edition: EditionID) {
        let limits = scenario.dispatchLimits
        for place in journal.shelf.keys where place.edition == edition {
            let kind = journal.kinds[Int(place.shard.number)][Int(place.job.number) - 1]
            let hadBegun = begun[place, default: 0] >= limits.strikes || suspected[place, default: 0] >= limits.doubts
            if kind != Script.refused, !hadBegun {
                findings.append("job \(place.job.number) was given up, and had not begun")
            }
        }
        for (message, due) in journal.newest where due.job.content?.first ?? Script.plain != Script.plain {
            let shard = Shard(of: due.job.conversation, among: scenario.shards)
            if journal.shelf[ShelfPlace(edition: edition, shard: shard, job: due.job.number)] == nil {
                findings.append("message \(message.number) cannot be laid out, and is not shelved")
            }
        }
    }
}
