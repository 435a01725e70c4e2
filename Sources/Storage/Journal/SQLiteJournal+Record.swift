import Bytes
import MessageLayout
import Names
import Pool
import Wire

extension SQLiteJournal {
    /// Writes the parts of a record that are not in the log. It comes before the frame, so that
    /// nothing counts as done there that is not on the shelf here. Idempotent.
    mutating func writeAtOnce(_ record: PoolRecord) throws(StorageError) {
        var rest = record
        rest.progress = []
        guard !rest.isEmpty else { return }
        rest.shelved = []
        for job in record.shelved {
            // The reason may quote content that was deleted meanwhile; and a newer job may have
            // come, which mends it perhaps.
            let card = try cards.message(job.key)?.card
            if card?.deletion != nil || card?.lastJob.map({ $0 > job.place.job }) == true { continue }
            rest.shelved.append(job)
        }
        try cards.tables.leave()
        try cards.tables.write(rest, under: identity.lock)
        if settings.durability == .full { try cards.tables.database.syncLog() }
    }
}

extension JournalCards {
    func standing() throws(StorageError) -> Standing {
        let names = try tables.database.prepare("SELECT service FROM meta").first { row in row.text(0) } ?? ""
        // Three names, of which all but the first may be empty. Builds without fillers wrote two names or one.
        var editions: [EditionID?] = []
        for name in names.split(separator: " ", omittingEmptySubsequences: false) {
            do throws(ByteError) { editions.append(name.isEmpty ? nil : try EditionID(String(name))) } catch {
                throw .damaged(path: tables.database.path, error)
            }
        }
        let known = progress.values.sorted { ($0.edition, $0.shard) < ($1.edition, $1.shard) }
        let service = editions[0].map {
            EditionService(
                current: $0, next: editions.dropFirst().first ?? nil, filler: editions.dropFirst(2).first ?? nil)
        }
        return Standing(service: service, progress: known, latest: latest, added: try added())
    }

    /// The added screens. One that cannot be read is left out: it is asked for again, or added again by hand.
    private func added() throws(StorageError) -> [AddedTarget] {
        var added: [AddedTarget] = []
        try tables.database.prepare("SELECT target, demand, by_hand FROM added").run { row in
            guard let target = Target(text: row.text(0)) else { return }
            added.append(AddedTarget(target, demand: Int(row.integer(1)), isByHand: row.integer(2) != 0))
        }
        return added.sorted { $0.target.precedes($1.target) }
    }
}

extension JournalTables {
    fileprivate func write(_ record: PoolRecord, under lock: JournalLock) throws(StorageError) {
        try lock.transaction(database) { () throws(StorageError) in
            for edition in record.retired {
                for table in ["progress", "shelf"] {
                    try database.prepare("DELETE FROM \(table) WHERE edition = ?").run(.blob(Array(edition.text.utf8)))
                }
            }
            for job in record.shelved {
                try putShelved.run(
                    .blob(Array(job.place.edition.text.utf8)), .integer(Int64(job.place.shard.number)),
                    .integer(Int64(bitPattern: job.place.job.number)), .integer(job.message.number),
                    .blob(CardKey(job.key).bytes), .text(job.reason.text))
            }
            for place in record.unshelved {
                try dropShelved.run(
                    .blob(Array(place.edition.text.utf8)), .integer(Int64(place.shard.number)),
                    .integer(Int64(bitPattern: place.job.number)))
            }
            if let service = record.service {
                let names = [service.current, service.next, service.filler].map { $0?.text ?? "" }
                try database.prepare("UPDATE meta SET service = ?").run(.text(names.joined(separator: " ")))
            }
            if let added = record.added { try write(added) }
        }
    }

    private func write(_ added: [AddedTarget]) throws(StorageError) {
        try database.execute("DELETE FROM added")
        for one in added {
            try database.prepare("INSERT INTO added VALUES (?, ?, ?)").run(
                .text(one.target.text), .integer(Int64(one.demand)), .integer(one.isByHand ? 1 : 0))
        }
    }
}
