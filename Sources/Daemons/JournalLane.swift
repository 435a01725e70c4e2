import Foundation
import Storage
import Transport
import Wire

/// The thread that merges cards into the tables of the journal and empties the log of SQLite, while the loop beside
/// it takes turns.
struct JournalLane {
    let chores: Mailbox<JournalChore>
    /// The ends of chores; an error once no more of them is done.
    let ends: Mailbox<Result<(JournalChoreEnd, StageTimes), any Error>>

    /// Starts the thread. It ends with the process.
    init(_ folder: DataFolder, _ settings: JournalSettings) throws {
        let chores = try Mailbox<JournalChore>()
        let ends = try Mailbox<Result<(JournalChoreEnd, StageTimes), any Error>>()
        (self.chores, self.ends) = (chores, ends)
        Thread.detachNewThread {
            do {
                var scribe = JournalScribe(in: folder, settings: settings)
                var watch = Stopwatch()
                while true {
                    for chore in chores.takeAll() {
                        let end = scribe.perform(chore)
                        watch.lap(.upkeep)
                        ends.post(.success((end, watch.take())))
                    }
                    _ = try wait(for: [chores.source], atMost: .seconds(60))
                }
            } catch {
                ends.post(.failure(error))
            }
        }
    }
}
