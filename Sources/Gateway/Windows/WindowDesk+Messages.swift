import MessageLayout
import Pool
import Storage
import Wire

// Messages beside their layouts.
extension WindowDesk {
    /// What a reply may have of them; rows beyond come without what is drawn in them, and are asked for.
    private static let mostMessageBytes = Limits.frame / 4

    /// A message and a layout that were not made of each other never come together.
    func addMessages(to rows: inout [WindowRow], at seat: Seat) throws(StorageError) {
        guard seat.wantsMessages, try findJournal() else { return }
        let conversation = seat.shared.key.conversation
        var wanted: [(key: MessageKey, job: JobNumber)] = []
        var places: [Int] = []
        for i in rows.indices {
            guard let variant = rows[i].body?.decoration.variant,
                let content = seat.shared.content(rows[i].number, variant)
            else { continue }
            wanted.append((MessageKey(conversation, rows[i].message), content.job))
            places.append(i)
        }
        var size = 0
        for (i, state) in zip(places, try cards?.states(of: wanted) ?? []) {
            guard let message = state.map(SaidMessage.encoded) else { continue }
            if size > 0, size + message.count > Self.mostMessageBytes {
                rows[i].body = nil
                continue
            }
            size += message.count
            rows[i].body?.message = message
        }
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
