import Names
import Wire

/// Rows that are to be made again, as a host was found to make wrong ones: shard by shard, a page of them at a time,
/// so that no turn of the loop asks the journal for all.
struct Mending: Equatable, Sendable {
    private var waiting: [Page] = []

    private struct Page: Equatable, Sendable {
        var shard: Shard
        var messages: [MessageNumber]
    }

    mutating func add(_ rows: Set<RemoteTrust.Row>, page: Int) {
        for (shard, rows) in Dictionary(grouping: rows, by: \.shard).sorted(by: { $0.key.number < $1.key.number }) {
            let messages = rows.map(\.message).sorted()
            for start in stride(from: 0, to: messages.count, by: page) {
                let some = Array(messages[start..<min(start + page, messages.count)])
                waiting.append(Page(shard: shard, messages: some))
            }
        }
    }

    /// Asks the journal for the next page, for every edition: another may have taken a row over, as its key is the
    /// same.
    mutating func proceed(_ editions: [EditionID], _ context: inout DispatchContext) {
        guard !waiting.isEmpty else { return }
        let page = waiting.removeFirst()
        for edition in editions { context.perform(.fetchDoubted(edition, page.shard, page.messages)) }
    }
}
