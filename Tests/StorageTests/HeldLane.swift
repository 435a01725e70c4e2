import Synchronization

@testable import Storage

/// Another thread that does the chores of a journal, as it were: it does one when the test says so.
final class HeldLane: Sendable {
    private struct Held: ~Copyable {
        var chore: JournalChore?
        var scribe: JournalScribe
    }

    private let held: Mutex<Held>

    init(_ folder: String, _ settings: JournalSettings) {
        held = Mutex(Held(scribe: JournalScribe(in: DataFolder(folder), settings: settings)))
    }

    func take(_ chore: JournalChore) { held.withLock { $0.chore = chore } }

    /// Whether a segment is to be packed with what it was given.
    var packs: Bool { held.withLock { $0.chore?.pack != nil } }

    /// Does what it was given, and brings back what came of it.
    func perform(_ journal: inout SQLiteJournal) throws {
        let end = held.withLock { held in
            let chore = held.chore.take()
            return chore.map { held.scribe.perform($0) }
        }
        if let end { try journal.take(end) }
    }
}
