import Conversation
import MessageLayout
import Pool
import Storage
import Wire

// Messages beside their layouts.
extension WindowDesk {
    /// What an answer may have of them; it has no more rows than that.
    private static let mostMessageBytes = Limits.frame / 4

    /// A message and a layout that were not made of each other never come together.
    /// - Parameter jobs: with which each of the first rows became what it is.
    /// - Returns: the rows that there was room for.
    func addMessages(
        to rows: inout [WindowRow], of jobs: [JobNumber?], at seat: Seat, from start: AnswerCut.Start
    ) throws(StorageError) -> Range<Int> {
        guard try findJournal() else { return 0..<jobs.count }
        let conversation = seat.shared.key.conversation
        var wanted: [(key: MessageKey, job: JobNumber)] = []
        var places: [Int] = []
        for (i, job) in jobs.enumerated() {
            guard let job, rows[i].body != nil else { continue }
            wanted.append((MessageKey(conversation, rows[i].message), job))
            places.append(i)
        }
        for (i, state) in zip(places, try cards?.states(of: wanted) ?? []) {
            rows[i].body?.message = state.map(SaidMessage.encoded)
        }
        var cut = AnswerCut(of: jobs.count, from: start, AnswerRoom(Self.mostMessageBytes))
        while let row = cut.next { cut.take(row, bytes: rows[row].body?.message?.count ?? 0) }
        return cut.rows
    }

    /// Has a message laid out before others, as somebody waits for it.
    func wish(_ message: MessageKey) {
        if wishes.count < OperatorRequest.mostUrged { wishes.insert(message) }
    }

    /// What is waited for since it was asked last.
    func takeWishes() -> [MessageKey] {
        defer { wishes.removeAll(keepingCapacity: true) }
        return Array(wishes)
    }

    /// False away from the coordinator, where there is no journal.
    func findJournal() throws(StorageError) -> Bool {
        do throws(StorageError) {
            if cards == nil { cards = try CardReader(in: folder) }
            return true
        } catch .absent {
            return false
        }
    }
}
