import Names
package import Pool
import Wire

// Several logs in one journal. A host writes turns of all logs into its journal as they come, so an entry has one place
// in its log, and in the journal of each host another one. A record has places of its log. A place from before its
// turn is not in it: hosts agree on the cards of messages, and so the record says which card had that place.

/// A number in a record that stands for a place from before its turn: one of the last numbers, by the card of the entry
/// that had the place until then.
private enum EarlierPlace {
    static func number(ofCard index: Int) -> Int64 { LogPosition.most.number - Int64(index) }

    /// The card; nil where the number is that of a place.
    static func card(of number: Int64) -> Int? {
        let index = LogPosition.most.number - number
        return index >= 0 && index < JournalEntry.most ? Int(index) : nil
    }
}

/// The messages under the keys of each entry, as they were before it.
private struct CardsBefore {
    private var drafted: [MessageKey: CardEntry] = [:]

    func cards<Log: Journal & ~Copyable>(
        of entry: JournalEntry, in journal: inout Log
    ) throws(Log.Failure) -> [MessageCard?] {
        var cards: [MessageCard?] = []
        for change in entry.cards {
            var before = drafted[change.key]
            if before == nil { before = try journal.card(change.key) }
            if case .message(let card)? = before { cards.append(card) } else { cards.append(nil) }
        }
        return cards
    }

    mutating func note(_ entry: JournalEntry) {
        for change in entry.cards { drafted[change.key] = change.entry }
    }
}

extension JournalTurn {
    /// Returns the turns that the logs of partitions get of a turn that was judged against the journal as it is: for
    /// each partition pieces of at most so many bytes.
    ///
    /// - Parameter next: the place where the log of a partition goes on.
    package func pieces<Log: Journal & ~Copyable>(
        among map: PartitionMap, atMost bytes: Int, in journal: inout Log, next: (Partition) -> LogPosition
    ) throws(Log.Failure) -> [(partition: Partition, pieces: [TurnContent])] {
        var entries: [Partition: [(place: Int64, entry: JournalEntry)]] = [:]
        var notes: [Partition: [ConversationNote]] = [:]
        for (place, entry) in zip(journal.nextPosition.number..., self.entries) {
            entries[map.partition(of: entry.event.conversation), default: []].append((place, entry))
        }
        for note in self.notes { notes[map.partition(of: note.conversation), default: []].append(note) }
        var parts: [(partition: Partition, pieces: [TurnContent])] = []
        for partition in Set(entries.keys).union(notes.keys).sorted() {
            let own = entries[partition] ?? []
            let whole = TurnContent(
                first: next(partition), entries: own.map(\.entry), notes: notes[partition] ?? [])
            var before = CardsBefore()
            var places = own.map(\.place)[...]
            var pieces: [TurnContent] = []
            for piece in whole.pieces(atMost: bytes) {
                let ofPiece = Array(places.prefix(piece.entries.count))
                places = places.dropFirst(piece.entries.count)
                pieces.append(try piece.ofLog(ofPiece, &before, in: &journal))
            }
            parts.append((partition, pieces))
        }
        return parts
    }
}

extension TurnContent {
    /// Returns the same turn with places of its log.
    /// - Parameter places: the places that its entries had when they were judged.
    fileprivate func ofLog<Log: Journal & ~Copyable>(
        _ places: [Int64], _ before: inout CardsBefore, in journal: inout Log
    ) throws(Log.Failure) -> TurnContent {
        var turn = self
        let own = Dictionary(uniqueKeysWithValues: zip(places, first.number...))
        for (index, entry) in entries.enumerated() {
            // Most entries begin a message, and name no earlier place.
            var renumbered = entry.renumbered(message: { own[$0] }, body: { own[$0] })
            if renumbered == nil {
                let cards = try before.cards(of: entry, in: &journal)
                renumbered = entry.renumbered { number in
                    own[number] ?? cards.firstIndex { $0?.number.number == number }.map(EarlierPlace.number)
                } body: { place in
                    own[place] ?? cards.firstIndex { $0?.body?.value.at.number == place }.map(EarlierPlace.number)
                }
            }
            // No bytes of a log, a disk or another host lead here. The Bookkeeper made the entry in this turn of the
            // loop, over this journal. It takes a number from nowhere but the place of the entry and the cards that it
            // found under the keys which the entry changes, and the same cards are found there now.
            guard let renumbered else { preconditionFailure("a place that no card had") }
            turn.entries[index] = renumbered
            before.note(entry)
        }
        return turn
    }

    /// Returns the same turn with places of a journal that has several logs; nil where the journal lacks what the
    /// turn builds on.
    package func placed<Log: Journal & ~Copyable>(in journal: inout Log) throws(Log.Failure) -> TurnContent? {
        var turn = self
        let shift = journal.nextPosition.number - first.number
        let own = first.number..<first.number + Int64(entries.count)
        turn.first = journal.nextPosition
        var before = CardsBefore()
        for (index, entry) in entries.enumerated() {
            let shifted = { (number: Int64) -> Int64? in own.contains(number) ? number + shift : nil }
            var renumbered = entry.renumbered(message: shifted, body: shifted)
            if renumbered == nil {
                let cards = try before.cards(of: entry, in: &journal)
                /// The card that had a place before; nil where the number is that of a place.
                func card(_ number: Int64) -> MessageCard? {
                    EarlierPlace.card(of: number).flatMap { cards.indices.contains($0) ? cards[$0] : nil }
                }
                renumbered = entry.renumbered { number in
                    shifted(number) ?? card(number)?.number.number
                } body: { place in
                    shifted(place) ?? card(place)?.body?.value.at.number
                }
            }
            guard let renumbered else { return nil }
            turn.entries[index] = renumbered
            before.note(renumbered)
        }
        return turn
    }
}

extension JournalEntry {
    /// Returns the same entry with other numbers of messages and places of bodies; nil where one has none.
    fileprivate func renumbered(
        message: (Int64) -> Int64?, body: (Int64) -> Int64?
    ) -> JournalEntry? {
        var entry = self
        for place in cards.indices {
            switch cards[place].entry {
            case .message(let card):
                guard let card = card.renumbered(message: message, body: body) else { return nil }
                entry.cards[place].entry = .message(card)
            case .alias(let id, let absorbed?):
                guard let number = message(absorbed.number.number) else { return nil }
                let row = AbsorbedRow(number: MessageNumber(number), removal: absorbed.removal)
                entry.cards[place].entry = .alias(of: id, absorbed: row)
            case .alias(_, nil): continue
            }
        }
        for place in jobs.indices {
            guard let number = message(jobs[place].message.number) else { return nil }
            entry.jobs[place].message = MessageNumber(number)
        }
        return entry
    }
}

extension MessageCard {
    fileprivate func renumbered(message: (Int64) -> Int64?, body: (Int64) -> Int64?) -> MessageCard? {
        guard let number = message(number.number) else { return nil }
        var card = MessageCard(number: MessageNumber(number))
        card.body = self.body
        if let place = self.body?.value.at {
            guard let at = body(place.number) else { return nil }
            card.body?.value.at = LogPosition(at)
        }
        (card.order, card.status, card.reactions) = (order, status, reactions)
        (card.voices, card.deletion, card.lastJob) = (voices, deletion, lastJob)
        return card
    }
}
