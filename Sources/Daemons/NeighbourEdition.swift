import Names
import Storage
import Wire

/// The rows of editions that readers are shown while another one is laid out: those of equal key are taken over as
/// they are. There are two such editions where the served one is not whole.
///
/// It is only read, and only for messages that it may have: a message that is new has no row anywhere.
struct NeighbourEdition: ~Copyable {
    private let own: EditionID
    private let folder: DataFolder
    /// The other editions whose rows readers are shown, the served one first.
    private(set) var others: [EditionID] = []
    private var readers: [Place: Reader] = [:]
    private var nextLook = ContinuousClock.now

    private struct Place: Hashable {
        var edition: EditionID
        var shard: Shard
    }

    /// A file, to be found by its shard.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    private static let pause: Duration = .seconds(1)

    init(of own: EditionID, in folder: DataFolder) { (self.own, self.folder) = (own, folder) }

    /// Whether another edition is shown.
    var isThere: Bool { !others.isEmpty }

    /// Finds out which editions are shown, once in a while: the next one is when all of it is laid out, or the part
    /// that readers look at.
    mutating func look() {
        guard nextLook <= .now else { return }
        nextLook = .now + Self.pause
        let view: ServedEdition?
        // Without a readable view everything is laid out anew.
        do throws(StorageError) { view = try ServedEdition.read(in: folder) } catch { view = nil }
        let found = [view?.edition, view?.older].compactMap(\.self).filter { $0 != own }
        guard found != others else { return }
        (others, readers) = (found, [:])
    }

    /// The stored row of a message; nil where it was laid out under another key, or not at all.
    mutating func row(_ message: MessageNumber, in shard: Shard, under key: [UInt8]) -> ShardReader.KeyedRow? {
        for edition in others {
            if let row = row(message, at: Place(edition: edition, shard: shard), under: key) { return row }
        }
        return nil
    }

    private mutating func row(_ message: MessageNumber, at place: Place, under key: [UInt8]) -> ShardReader.KeyedRow? {
        do throws(StorageError) {
            if readers[place] == nil {
                readers[place] = Reader(try ShardReader(place.shard, of: place.edition, in: folder))
            }
            return try readers[place]!.shard.row(message, under: key)
        } catch {
            readers[place] = nil
            return nil
        }
    }
}
