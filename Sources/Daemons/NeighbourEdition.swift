import Names
import Storage
import Wire

/// The rows of the edition that readers are served while another one is laid out: those of equal key are taken over as they are.
///
/// Only looked into, and only for what is there to be found: a message that is new has no row anywhere.
struct NeighbourEdition: ~Copyable {
    private let own: EditionID
    private let folder: DataFolder
    private var served: EditionID?
    private var readers: [Shard: Reader] = [:]
    private var nextLook = ContinuousClock.now

    /// A file, to be found under its shard.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    private static let pause: Duration = .seconds(1)

    init(of own: EditionID, in folder: DataFolder) { (self.own, self.folder) = (own, folder) }

    /// Whether another edition is served.
    var isThere: Bool { served != nil && served != own }

    /// The edition that is served, where it is another one.
    var other: EditionID? { isThere ? served : nil }

    /// Which edition is served, once in a while: the next one is when all of it is laid out.
    mutating func look() {
        guard served != own, nextLook <= .now else { return }
        nextLook = .now + Self.pause
        let found: EditionID?
        // What cannot be read is laid out anew.
        do throws(StorageError) { found = try ServedEdition.read(in: folder)?.edition } catch { found = nil }
        guard found != served else { return }
        (served, readers) = (found, [:])
    }

    /// What is stored of a message; nil where it was laid out under another key, or not at all.
    mutating func row(
        _ message: MessageNumber, in shard: Shard, under key: [UInt8]
    ) -> (layout: [UInt8], measured: [UInt8])? {
        guard let served, served != own else { return nil }
        do throws(StorageError) {
            if readers[shard] == nil { readers[shard] = Reader(try ShardReader(shard, of: served, in: folder)) }
            return try readers[shard]!.shard.row(message, under: key)
        } catch {
            readers[shard] = nil
            return nil
        }
    }
}
