import Bytes
import MessageLayout
import Names
import Record
import Wire

/// Blocks as they were when they were torn, and the rows that have changed in the range of each since. With these, a
/// block is sealed again without a look at its other rows, which may lie all over the file.
///
/// It is a memory and no record: a block that is not in it is sealed from all of its rows.
struct TornBlocks {
    /// A block, and what has happened to its range since it was whole.
    struct Torn {
        let block: [UInt8]
        /// The rows that came, left, or are others now.
        fileprivate(set) var numbers: Set<MessageNumber> = []
        /// The places where that was, and the row that it was.
        fileprivate(set) var places: [Position: MessageNumber] = [:]

        /// Bytes of memory, about.
        fileprivate var size: Int { block.count + 100 * (numbers.count + places.count) }

        /// - Returns: false where the range does not follow from what is known of it any more.
        fileprivate mutating func note(_ number: MessageNumber, at place: Position) -> Bool {
            // Where two rows have claimed one place, only the table of places says which of them has it.
            if let other = places.updateValue(number, forKey: place), other != number { return false }
            numbers.insert(number)
            return places.count <= TornBlocks.mostChanges
        }
    }

    private struct Range: Hashable {
        var conversation: Int64
        var end: Position
    }

    private var torn: [Range: Torn] = [:]
    /// Bytes of memory of all of these, about.
    private var size = 0

    private static let mostBytes = 4 << 20
    /// The most rows whose changes are worth more than reading a range as it is.
    private static let mostChanges = RowBlock.usualCount

    /// Notes a change in the range that ends at a place.
    /// - Parameter block: the block of the range, where it was whole before the change.
    mutating func note(
        _ number: MessageNumber, at place: Position, _ block: [UInt8]?, of conversation: Int64, to end: Position
    ) {
        let range = Range(conversation: conversation, end: end)
        if let block {
            drop(range)
            torn[range] = Torn(block: block)
            size += torn[range]?.size ?? 0
        }
        guard let before = torn[range]?.size else { return }
        // Where it lies: taken out, its changes would be copied with each one more.
        let isKnown = torn[range]?.note(number, at: place) ?? false
        size += (torn[range]?.size ?? before) - before
        if !isKnown || size > Self.mostBytes { drop(range) }
    }

    /// The number of rows that are known to have changed in a torn range; nil where nothing is known of it.
    func numbers(in conversation: Int64, to end: Position) -> Int? {
        torn[Range(conversation: conversation, end: end)]?.numbers.count
    }

    /// Gives back what is known of a torn range, and forgets it.
    mutating func take(_ conversation: Int64, to end: Position) -> Torn? {
        drop(Range(conversation: conversation, end: end))
    }

    @discardableResult
    private mutating func drop(_ range: Range) -> Torn? {
        guard let known = torn.removeValue(forKey: range) else { return nil }
        size -= known.size
        return known
    }
}

extension TornBlocks.Torn {
    /// The rows of the range; nil where they do not follow from what is known of it.
    /// - Parameter find: gives a row as a block has it, or its fault; nil where there is none.
    func rows(
        after start: Position?, upTo end: Position,
        _ find: (MessageNumber) throws(StorageError) -> Result<RowSealer.Stated, RowSealer.Fault>?
    ) throws(StorageError) -> [RowSealer.Stated]? {
        var rows: [RowSealer.Stated] = []
        let targets: [Target]
        do throws(ByteError) {
            let block = try RowBlock(block)
            targets = try block.targets()
            rows = try block.rows().map { ($0, targets) }
        } catch {
            return nil
        }
        rows.removeAll { numbers.contains($0.row.number) }
        // There, too, two rows have claimed one place.
        if rows.contains(where: { places[$0.row.position] != nil }) { return nil }
        for number in numbers {
            guard let found = try find(number) else { continue }
            guard case .success(let row) = found, row.targets == targets else { return nil }
            rows.append(row)
        }
        // A row may have moved to another range; and the range was cut where another one was made of its first rows.
        rows.removeAll { end < $0.row.position || start != nil && !(start! < $0.row.position) }
        rows.sort { $0.row.position < $1.row.position }
        let isClear = zip(rows, rows.dropFirst()).allSatisfy { $0.row.position < $1.row.position }
        return isClear ? rows : nil
    }
}
