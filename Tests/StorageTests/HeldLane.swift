import Synchronization

@testable import Storage

/// A stand-in for the thread that does the chores of a journal: it does one when the test says so.
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

    /// Whether the chore that it was given packs a segment.
    var packs: Bool { held.withLock { $0.chore?.pack != nil } }

    /// Does the chore that it was given, and hands the result to the journal.
    func perform(_ journal: inout SQLiteJournal) throws {
        let end = held.withLock { held in
            let chore = held.chore.take()
            return chore.map { held.scribe.perform($0) }
        }
        if let end { try journal.take(end) }
    }
}
