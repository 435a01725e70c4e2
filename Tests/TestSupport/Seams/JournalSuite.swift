import MessageLayout
import Names
package import Pool
package import Testing
import Typography
import Wire

/// The rules for every `Journal`, held against `ModelJournal`. Each implementation's tests run it; `open` opens the
/// same journal again each time.
package struct JournalSuite<Log: Journal & ~Copyable> {
    private let shards: Int
    private let open: () throws -> Log
    private let location: SourceLocation
    private let editions = ["a1", "b2"]

    package init(shards: Int, at location: SourceLocation = #_sourceLocation, open: @escaping () throws -> Log) {
        (self.shards, self.open, self.location) = (shards, open, location)
    }

    /// Takes random events in random turns, and opens the journal again between them.
    ///
    /// - Parameter between: other things that happen to the journal after a turn, and must not be noticed.
    package func agreesWithTheModel(
        turns: Int = 25, using random: inout SplitMix64,
        between: (inout Log, inout SplitMix64) throws -> Void = { _, _ in }
    ) throws {
        var log = try open()
        var model = ModelJournal(shards: shards, first: log.nextPosition.number)
        var (keeper, twin) = (Bookkeeper(shards: shards), Bookkeeper(shards: shards))
        var term = log.term
        for _ in 0..<turns {
            let events = try (0..<Int.random(in: 0...8, using: &random)).map { _ in try event(using: &random) }
            let request = IngestRequest(
                lane: Bool.random(using: &random) ? .live : .backfill, events: events.map { .success($0) })
            let room = IngestRoom(live: 1000, backfill: 1000, retryAfter: 1)
            keeper.open(room: room)
            twin.open(room: room)
            let answers = try keeper.take(request, from: Peer(route: [1]), in: &log)
            let expected = try twin.take(request, from: Peer(route: [1]), in: &model)
            #expect(answers == expected, sourceLocation: location)
            let record = try record(model, using: &random)
            try log.commit(keeper.close(with: record))
            model.commit(twin.close(with: record))
            try between(&log, &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                log = try reopened(log)
                #expect(log.term > term, sourceLocation: location)
                term = log.term
            }
            try compare(&log, model)
        }
    }

    /// Opens the journal again, after the old one is gone.
    private func reopened(_ log: consuming Log) throws -> Log {
        discard(log)
        return try open()
    }

    private func discard(_: consuming Log) {}

    private func event(using random: inout SplitMix64) throws -> ChatEvent {
        if Int.random(in: 0..<4, using: &random) > 0 { return .message(try messageEvent(using: &random)) }
        var event = ConversationEvent(
            conversation: try ConversationID("c\(Int.random(in: 0..<4, using: &random))"),
            revision: Revision(.random(in: 1...9, using: &random)))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: event.title = ["", "Friends", "Freunde \u{1F389}"].randomElement(using: &random)
        case 1: event.picture = Array(["null", "7", #"{"url":"x"}"#].randomElement(using: &random)!.utf8)
        case 2: event.read = ReadMark(reader: try SenderID("ada"), .message(try MessageID("a")))
        default:
            event.title = "both"
            event.read = ReadMark(
                reader: try SenderID(["ada", "grace"].randomElement(using: &random)!),
                .order(.random(in: -2...9, using: &random)))
        }
        return .conversation(event)
    }

    private func messageEvent(using random: inout SplitMix64) throws -> MessageEvent {
        let names = ["a", "b", "c", "d", "e"]
        var event = MessageEvent(
            conversation: try ConversationID("c\(Int.random(in: 0..<4, using: &random))"),
            message: try MessageID(names.randomElement(using: &random)!),
            revision: Revision(.random(in: 1...9, using: &random)))
        if Int.random(in: 0..<8, using: &random) == 0 {
            event.clientID = try MessageID(names.randomElement(using: &random)!)
        }
        if Int.random(in: 0..<9, using: &random) == 0 {
            event.isDeleted = true
            return event
        }
        if Int.random(in: 0..<3, using: &random) > 0 {
            event.body = MessageBody(
                sender: try SenderID("ada"), time: Timestamp(milliseconds: .random(in: 0...9, using: &random)),
                content: MessageEvent.plainText("text \(Int.random(in: 0...1, using: &random))"))
            event.order = .random(in: 1...3, using: &random)
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            event.status = Array("\(Int.random(in: 0...3, using: &random))".utf8)
        }
        if Int.random(in: 0..<5, using: &random) == 0 { event.reactions = Array("[1]".utf8) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let choices = try names.prefix(.random(in: 0...2, using: &random)).map { try ChoiceID($0) }
            event.react = ReaderChoices(
                reader: try SenderID(names.randomElement(using: &random)!), emoji: choices,
                options: Bool.random(using: &random) ? choices : nil)
        }
        return event
    }

    /// Progress only ever grows; both editions have some in every shard before anything else is recorded.
    private func record(_ model: ModelJournal, using random: inout SplitMix64) throws -> PoolRecord {
        var record = PoolRecord()
        if model.service == nil {
            record.service = EditionService(
                current: try EditionID("a1"), next: try EditionID("b2"), filler: try EditionID("b2"))
            for edition in editions {
                for shard in 0..<shards {
                    record.progress.append(
                        ShardProgress(edition: try EditionID(edition), shard: Shard(UInt16(shard))))
                }
            }
            return record
        }
        for known in model.progress where Int.random(in: 0..<4, using: &random) == 0 {
            var next = known
            let latest = model.latest[Int(known.shard.number)].number
            let through = UInt64.random(in: known.through.number...latest, using: &random)
            next.through = JobNumber(max(through, known.beyond.last?.upperBound.number ?? 0))
            next.beyond = []
            if next.through.number + 2 < latest {
                next.beyond = [JobNumber(next.through.number + 2)...JobNumber(latest - 1)]
            }
            next.walkedTo = Bool.random(using: &random) ? MessageNumber(.random(in: -1...9, using: &random)) : nil
            next.origin = ShardOrigin(.random(in: 0...3, using: &random))
            record.progress.append(next)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            record.added = ([397, 402, 410] as [Int32]).shuffled(using: &random).prefix(2).map {
                let target = Target(width: .points($0), scale: .three, textScale: TextScale(percent: 130))
                return AddedTarget(
                    target, demand: .random(in: 0...99, using: &random), isByHand: .random(using: &random))
            }
        }
        if let entry = model.entries.randomElement(using: &random), let job = entry.jobs.first {
            let key = MessageKey(job.conversation, job.messageID)
            if case .message(let card) = model.cards[key], card.deletion == nil {
                let place = ShelfPlace(
                    edition: try EditionID("a1"), shard: Shard(of: job.conversation, among: shards), job: job.number)
                record.shelved.append(
                    ShelvedJob(place: place, message: job.message, key: key, reason: Objection("too long")))
            }
        }
        if let job = model.shelf.randomElement(using: &random), Bool.random(using: &random) {
            record.unshelved.append(job.place)
            record.shelved.removeAll { $0.place == job.place }
        }
        return record
    }

    private func compare(_ log: inout Log, _ model: ModelJournal) throws {
        #expect(log.nextPosition == model.nextPosition, sourceLocation: location)
        let standing = try log.standing()
        #expect(standing == model.standing(), sourceLocation: location)
        for (key, entry) in model.cards {
            let found = try log.card(key)
            #expect(found == entry, "card of \(key)", sourceLocation: location)
            if case .message(let card) = entry, let place = card.body?.value.at {
                let body = try log.body(at: place)
                #expect(body == model.body(at: place), sourceLocation: location)
            }
        }
        for number in 0..<4 {
            let id = try ConversationID("c\(number)")
            let found = try log.conversation(id)
            #expect(found == model.conversation(id), sourceLocation: location)
            for reader in ["ada", "grace", "nobody"] {
                let key = ReadingKey(id, try SenderID(reader))
                let place = try log.readPlace(key)
                #expect(place == model.readPlace(key), sourceLocation: location)
            }
        }
        let none = try log.card(MessageKey(try ConversationID("c0"), try MessageID("nobody")))
        #expect(none == nil, sourceLocation: location)
        for number in 0..<shards {
            let shard = Shard(UInt16(number))
            #expect(log.nextJob(in: shard) == model.nextJob(in: shard), sourceLocation: location)
            for edition in try editions.map({ try EditionID($0) }) where model.service != nil {
                var (jobs, after): ([DueJob], JobNumber) = ([], .zero)
                repeat {
                    let page = try log.unfinished(in: shard, of: edition, after: after, limit: 3)
                    jobs += page.jobs
                    after = page.through
                } while after < standing.latest[number]
                let expected = model.unfinished(in: shard, of: edition, after: .zero, limit: .max)
                #expect(jobs == expected.jobs, "unfinished in \(number)", sourceLocation: location)
            }
            var (living, after): ([LayoutJob], MessageNumber) = ([], MessageNumber(-1))
            while true {
                let page = try log.messages(in: shard, after: after, limit: 2)
                living += page
                guard page.count == 2 else { break }
                after = page[1].message
            }
            var (recent, walk): ([LayoutJob], RecentWalk?) = ([], RecentWalk())
            while let here = walk {
                let page = try log.recent(in: shard, after: here, limit: 2)
                #expect(page.jobs.count <= 2, sourceLocation: location)
                recent += page.jobs
                walk = page.rest
            }
            // Messages that changed after they were merged may be there beside as many others.
            let newest = model.recent(in: shard, after: RecentWalk(), limit: .max).jobs
            let missing = newest.filter { !recent.contains($0) }
            #expect(missing == [], "newest of \(number)", sourceLocation: location)
            let expected = model.messages(in: shard, after: MessageNumber(-1), limit: .max)
            #expect(recent.allSatisfy(expected.contains), "newest of \(number)", sourceLocation: location)
            #expect(living == expected, "messages of \(number)", sourceLocation: location)
        }
        let shelved = try log.shelved(after: nil, limit: 100)
        #expect(shelved == model.shelved(after: nil, limit: 100), sourceLocation: location)
        let rest = try log.shelved(after: shelved.first?.place, limit: 100)
        #expect(rest == Array(shelved.dropFirst()), sourceLocation: location)
        for job in shelved {
            let found = try log.job(at: job.place)
            #expect(found == model.job(at: job.place), sourceLocation: location)
        }
    }
}
