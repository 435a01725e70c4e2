import Names
import Pool
import Wire

/// The record of a world's run, to be judged: the leases, the jobs that had begun, and the findings.
struct EventLedger {
    /// The findings, as sentences.
    private(set) var findings: [String] = []
    /// Lines of the script that are in the journal.
    private(set) var journaled: Set<Int> = []
    /// The worker that was given a shard under an epoch.
    private var leases: [LeaseName: Int] = [:]
    /// By job, the number of times that a worker began with it alone.
    private(set) var begun: [ShelfPlace: Int] = [:]
    /// Jobs that may have brought a worker down, with the number of times when that was only likely.
    private(set) var suspected: [ShelfPlace: Int] = [:]
    /// Messages for which readers have waited: they may come before others.
    private(set) var wished: Set<MessageNumber> = []

    private struct LeaseName: Hashable {
        var edition: EditionID
        var file: Shard
        var epoch: LeaseEpoch
    }

    private static let mostFindings = 20

    mutating func find(_ finding: String) { findings.append(finding) }

    /// Adds findings that may come at every turn: a few of them are enough.
    mutating func findSome(_ some: [String]) {
        for finding in some where findings.count < Self.mostFindings { findings.append(finding) }
    }

    mutating func wish(_ message: MessageNumber) { wished.insert(message) }

    mutating func keep(_ line: Int) {
        if !journaled.insert(line).inserted { find("line \(line) was accepted twice") }
    }

    mutating func begin(_ place: ShelfPlace) { begun[place, default: 0] += 1 }

    /// Checks that a job was charged with the loss of a worker only if it had begun.
    mutating func hear(_ notice: Dispatcher.Notice) {
        guard case .suspected(let place, let strikes, let doubts) = notice else { return }
        suspected[place] = max(suspected[place, default: 0], doubts)
        if strikes > begun[place, default: 0] {
            find("job \(place.job.number) was charged \(strikes) times, and had begun \(begun[place, default: 0])")
        }
    }

    /// Checks that a file belongs to one worker in one epoch.
    mutating func lease(_ batch: Batch, of edition: EditionID, to process: Int) {
        let name = LeaseName(edition: edition, file: batch.shard, epoch: batch.epoch)
        if let other = leases[name], other != process {
            find("file \(batch.shard.number) was leased twice under epoch \(batch.epoch.number)")
        }
        leases[name] = process
    }
}
