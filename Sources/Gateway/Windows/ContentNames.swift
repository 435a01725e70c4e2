import MessageLayout
import Names
import Record
import Wire

/// The name of a content: of a row in one variant, as the row was at one time, in one version of rows.
struct ContentKey: Hashable, Sendable {
    fileprivate let timeline: UInt64
    fileprivate let change: UInt32
    let row: MessageNumber
    let variant: ContentVariant
    let version: RowVersion

    /// Hashes in as few steps as there are: a row is looked up more often than it is drawn.
    func hash(into hasher: inout Hasher) {
        hasher.combine(timeline &+ UInt64(bitPattern: row.number))
        hasher.combine(UInt64(change) << 16 | UInt64(variant.rawValue) << 8 | UInt64(version.rawValue))
    }
}

/// The names of the contents of a timeline's rows. A row that changes has another name, so nobody has to look for the
/// content under the old one: it is asked for no more, and goes.
struct ContentNames {
    /// A number that no other timeline has.
    private var timeline: UInt64 = .random(in: .min ... .max)
    private var changes: [MessageNumber: UInt32] = [:]

    private static let mostChanges = 4096

    /// The bytes of memory that it takes, about.
    var bytes: Int { changes.count * 32 }

    func key(_ row: MessageNumber, _ variant: ContentVariant, _ version: RowVersion) -> ContentKey {
        ContentKey(timeline: timeline, change: changes[row] ?? 0, row: row, variant: variant, version: version)
    }

    mutating func change(_ row: MessageNumber) {
        guard changes.count < Self.mostChanges else { return self = ContentNames() }
        changes[row, default: 0] &+= 1
    }
}
