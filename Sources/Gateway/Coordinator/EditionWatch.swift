import Pool
import Storage
import Wire

/// Which edition is served, looked up now and then: the coordinator writes it down, and tells nobody.
struct EditionWatch {
    private let folder: DataFolder
    private(set) var served: EditionID?
    /// The one from which rows are given that the served one lacks.
    private(set) var filler: EditionID?
    private(set) var shardCount = 0
    private var lookedAt: ContinuousClock.Instant?

    /// How soon another edition is noticed.
    private static let pause: Duration = .milliseconds(250)

    init(_ folder: DataFolder) { self.folder = folder }

    /// - Returns: whether another edition is served than at the last look.
    mutating func lookAround(at now: ContinuousClock.Instant = .now) throws(StorageError) -> Bool {
        if let lookedAt, served != nil, now < lookedAt + Self.pause { return false }
        lookedAt = now
        let read = try ServedEdition.read(in: folder)
        filler = read?.filler
        let found = read?.edition
        guard found != served else { return false }
        shardCount = try FolderManifest.read(in: folder)?.shards ?? 0
        served = found
        return true
    }
}
