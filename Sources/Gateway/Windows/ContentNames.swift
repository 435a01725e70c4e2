import MessageLayout
import Names
import Wire

/// What is drawn in a row in one variant, as the row was at one time.
struct ContentKey: Hashable, Sendable {
    fileprivate let timeline: UInt64
    fileprivate let change: UInt32
    let row: MessageNumber
    let variant: ContentVariant
}

/// Names what is drawn in the rows of a timeline. A row that changes has another name, so nobody has to look for what is kept under
/// the old one: it is asked for no more, and goes.
struct ContentNames {
    /// Nobody else has it.
    private var timeline: UInt64 = .random(in: .min ... .max)
    private var changes: [MessageNumber: UInt32] = [:]

    private static let mostChanges = 4096

    func key(_ row: MessageNumber, _ variant: ContentVariant) -> ContentKey {
        ContentKey(timeline: timeline, change: changes[row] ?? 0, row: row, variant: variant)
    }

    mutating func change(_ row: MessageNumber) {
        guard changes.count < Self.mostChanges else { return self = ContentNames() }
        changes[row, default: 0] &+= 1
    }
}
