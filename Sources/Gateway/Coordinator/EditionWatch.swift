import Pool
import Storage
import Wire

/// Which edition is served, looked up now and then: the coordinator writes it down, and tells nobody.
struct EditionWatch {
    private let folder: DataFolder
    private(set) var served: EditionID?
    /// The one from which rows are given that the served one lacks.
    private(set) var filler: EditionID?
    /// The one that has a row of everything, as far as one has: where the served one is not whole, the one before it.
    private(set) var whole: EditionID?
    /// The one that is served as soon as it has what readers look at.
    private(set) var hurried: EditionID?
    private(set) var shardCount = 0
    private var lookedAt: ContinuousClock.Instant?

    /// Time until another edition is noticed: one that is hurried, when it is told, and then when it is served.
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
