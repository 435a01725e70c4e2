import Foundation
import Names
import Operations
import Pool
import Replication
import Storage
import Transport
import Wire

private let log = Log("cluster")

/// Sums over the rows of all hosts, for an operator to compare. Each host reads all its rows for a sum, on a thread
/// that ends with it.
///
///     let number = comparison.begin()                      // then the others are asked for sums of that number
///     for counted in comparison.takeCounted(edition) { … } // the own one, and those that others asked for
struct RowComparison: ~Copyable {
    /// The host that wants a sum, and the number of its comparison.
    struct Asker: Equatable, Sendable {
        var number: UInt64
        /// The line that the question came on; nil for this host.
        var route: [UInt8]?
    }

    struct Counted: Sendable {
        var asker: Asker
        var count: RowCount
    }

    private let folder: DataFolder
    /// Whether the journal has several logs: then messages have other numbers on other hosts.
    private let hasSeveralLogs: Bool
    private let counted: Mailbox<Counted>
    private var waiting: [Asker] = []
    private var isCounting = false
    /// The number of the comparison. It begins at random, so that another process does not take an old answer for one
    /// of its own.
    private(set) var number = UInt64(UInt32.random(in: 1 ... .max))
    private(set) var counts: [HostID: RowCount] = [:]

    /// The most questions that wait.
    private static let most = 16

    init(in folder: DataFolder, hasSeveralLogs: Bool = false) throws {
        (self.folder, self.hasSeveralLogs) = (folder, hasSeveralLogs)
        counted = try Mailbox<Counted>()
    }

    var source: Source { counted.source }

    mutating func begin() -> UInt64 {
        (number, counts) = (number + 1, [:])
        waiting.append(Asker(number: number))
        return number
    }

    /// Takes a question; one for which there is no room is not answered.
    mutating func hear(_ number: UInt64, on route: [UInt8]) {
        if waiting.count < Self.most { waiting.append(Asker(number: number, route: route)) }
    }

    mutating func take(_ count: RowCount, _ number: UInt64, of host: HostID) {
        if number == self.number { counts[host] = count }
    }

    /// The counts that are done. It begins the next one that is waited for, in the served edition.
    mutating func takeCounted(_ edition: EditionID?) -> [Counted] {
        let done = counted.takeAll()
        if !done.isEmpty { isCounting = false }
        guard !isCounting, let edition, !waiting.isEmpty else { return done }
        isCounting = true
        let (asker, folder, counted, isNumbered) = (waiting.removeFirst(), folder, counted, !hasSeveralLogs)
        Thread.detachNewThread {
            counted.post(Counted(asker: asker, count: Self.count(edition, in: folder, isNumbered: isNumbered)))
        }
        return done
    }

    private static func count(_ edition: EditionID, in folder: DataFolder, isNumbered: Bool) -> RowCount {
        do throws(StorageError) {
            let sum = try RowSum(of: edition, in: folder, isNumbered: isNumbered)
            return RowCount(edition: edition, rows: UInt64(sum.rows), digest: sum.digest)
        } catch {
            log.warning(
                "rows cannot be counted for a comparison of hosts", ["reason": "\(LaneShards.sentence(error))"])
            return RowCount(edition: edition, rows: nil, digest: 0)
        }
    }
}

/// The number and digest of the rows of a host, in the edition that it serves.
struct RowCount: Equatable, Sendable {
    var edition: EditionID
    /// The number of rows; nil where they could not be read.
    var rows: UInt64?
    var digest: UInt64
}
