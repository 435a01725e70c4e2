import Pool
import Storage
import Wire

/// The edition that is served, looked up now and then: the coordinator writes it down, and tells nobody.
struct EditionWatch {
    private let folder: DataFolder
    private(set) var served: EditionID?
    /// The edition that supplies rows which the served one lacks.
    private(set) var filler: EditionID?
    /// The edition that has a row of every message, as far as one has: where the served one is incomplete, the one
    /// before it.
    private(set) var whole: EditionID?
    /// The edition that is served as soon as it has the rows that readers look at.
    private(set) var hurried: EditionID?
    private(set) var shardCount = 0
    private var lookedAt: ContinuousClock.Instant?

    /// The time within which another edition is noticed. It is shorter while one is hurried, which is noticed when it
    /// is told and when it is served.
    var pause: Duration { hurried == nil ? .milliseconds(100) : .milliseconds(20) }

    init(_ folder: DataFolder) { self.folder = folder }

    /// - Returns: whether another edition is served than at the last look.
    mutating func lookAround(at now: ContinuousClock.Instant = .now) throws(StorageError) -> Bool {
        if let lookedAt, served != nil, now < lookedAt + pause { return false }
        lookedAt = now
        let read = try ServedEdition.read(in: folder)
        filler = read.flatMap { $0.filler == $0.edition ? nil : $0.filler }
        whole = read.map { $0.older ?? $0.edition }
        hurried = read.flatMap { $0.isHurried ? $0.next : nil }
        let found = read?.edition
        guard found != served else { return false }
        shardCount = try FolderManifest.read(in: folder)?.shards ?? 0
        served = found
        return true
    }
}
