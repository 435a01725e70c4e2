import Bytes
import Glibc
import Pool
package import Wire

/// The place of the file of one shard, and of what belongs to it.
///
/// ```text
/// shards/<edition>/07.db            rows, places, changes
///                  07.db-wal, -shm  SQLite's own
///                  07.lock          the writer, the stamp up to which the log was synced, and what the files hold
///                  07.mark          what the files hold, once more
///                  07.suspect       a reader found it damaged: its worker is to check it
///                  07.examined      a worker checks it, or ended meanwhile
///                  decoration.json  the decoration of the edition's rows, from its workers' style
///                  07.db.lost-…     a file that was found damaged, or is of another life of the journal, put aside
/// ```
package struct ShardPlace: Sendable {
    package let shard: Shard
    package let edition: EditionID
    package let directory: String
    package let path: String
    private let name: String
    private let suspicions: Suspicions?

    package init(_ shard: Shard, of edition: EditionID, in folder: DataFolder) {
        (self.shard, self.edition) = (shard, edition)
        directory = folder.file("shards/\(edition)")
        name = (shard.number < 10 ? "0" : "") + "\(shard.number)"
        path = directory + "/" + name + ".db"
        suspicions = folder.suspicions
    }

    private init(_ place: ShardPlace, at path: String) {
        (shard, edition, directory, name) = (place.shard, place.edition, place.directory, place.name)
        self.path = path
        suspicions = place.suspicions
    }

    /// The files of an edition.
    static func all(of edition: EditionID, in folder: DataFolder) throws(StorageError) -> [ShardPlace] {
        let directory = folder.file("shards/\(edition)")
        guard FileFacts(directory) != nil else { return [] }
        return try FileFacts.names(in: directory).compactMap { name in
            guard name.hasSuffix(".db"), let number = UInt16(name.dropLast(3)) else { return nil }
            return ShardPlace(Shard(number), of: edition, in: folder)
        }
    }

    /// Files of the shard that were put aside, the newest first.
    func putAsides() throws(StorageError) -> [ShardPlace] {
        guard FileFacts(directory) != nil else { return [] }
        let names = try FileFacts.names(in: directory).filter {
            $0.hasPrefix(name + Self.asideMark) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        return names.reversed().map { ShardPlace(self, at: directory + "/" + $0) }
    }

    /// The part before the time, in names of files that were put aside.
    private static let asideMark = ".db.lost-"
    /// Seconds for which files that were put aside are kept, if they are of use for so long (`AsideFiles`).
    package static let timeAside = 86_400

    private var suspicionPath: String { directory + "/" + name + Self.suspicionEnding }
    private var examinedPath: String { directory + "/" + name + Self.examinedEnding }
    private static let suspicionEnding = ".suspect"
    private static let examinedEnding = ".examined"
    var lockPath: String { directory + "/" + name + ".lock" }
    var markPath: String { directory + "/" + name + ".mark" }
    /// The path of a draft, which is to take the place of the file.
    var draftPath: String { path + ".new" }

    /// Makes the folders above the file, for their owner and a group that may read.
    func create(in folder: DataFolder) throws(StorageError) {
        try folder.create()
        for path in [folder.file("shards"), directory] {
            guard unsafe mkdir(path, DataFolder.folderMode) == 0 || errno == EEXIST else {
                throw .notAccessible(path: path, code: errno)
            }
        }
    }

    /// Puts the file aside under a name with the time, and returns that name. The log goes last:
    /// where there is a log without a file, the next opening knows what happened, and removes it.
    func putAside() throws(StorageError) -> String {
        let aside = freeAside()
        for suffix in Self.suffixes {
            guard unsafe rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw .notAccessible(path: path + suffix, code: errno)
            }
        }
        return aside
    }

    /// The name with the present time, or with a second soon after it, as a file may have been put aside just now: its
    /// rows may be the only ones, and its log must not become that of another.
    private func freeAside() -> String {
        var seconds = WallClock.seconds
        while true {
            let aside = directory + "/" + name + Self.asideMark + "\(seconds)"
            if Self.suffixes.allSatisfy({ FileFacts(aside + $0) == nil }) { return aside }
            seconds += 1
        }
    }

    /// The endings of the file, its log and the index of that.
    private static let suffixes = ["", "-wal", "-shm"]

    /// Removes the file with log and index, or those alone, where the file is gone.
    func remove() throws(StorageError) { try Self.removeFile(path) }

    /// Removes a draft that has not taken the place of the file.
    func removeDraft() throws(StorageError) { try Self.removeFile(draftPath) }

    private static func removeFile(_ path: String) throws(StorageError) {
        for suffix in suffixes { try FileFacts.remove(path + suffix) }
    }

    /// Puts the draft in the place of the file. The log of the old file goes first: it must not
    /// become that of the draft.
    func takeDraft() throws(StorageError) {
        for suffix in ["-wal", "-shm"] { try FileFacts.remove(draftPath + suffix) }
        try FileFacts.sync(draftPath)
        for suffix in ["-wal", "-shm"] { try FileFacts.remove(path + suffix) }
        guard unsafe rename(draftPath, path) == 0 else { throw .notAccessible(path: path, code: errno) }
        try FileFacts.sync(directory)
    }

    /// Removes all files of an edition that is gone.
    package static func removeAll(of edition: EditionID, in folder: DataFolder) throws(StorageError) {
        let directory = folder.file("shards/\(edition)")
        guard FileFacts(directory) != nil else { return }
        var attempts = 3
        while true {
            for name in try FileFacts.names(in: directory) {
                guard unsafe unlink(directory + "/" + name) == 0 || errno == ENOENT else {
                    throw .notAccessible(path: directory + "/" + name, code: errno)
                }
            }
            if unsafe rmdir(directory) == 0 || errno == ENOENT { return }
            attempts -= 1
            // A worker that has not heard of it yet may begin a file anew meanwhile.
            guard errno == ENOTEMPTY, attempts > 0 else { throw .notAccessible(path: directory, code: errno) }
        }
    }

    /// Editions that have files of shards.
    package static func editions(in folder: DataFolder) throws(StorageError) -> [EditionID] {
        guard FileFacts(folder.file("shards")) != nil else { return [] }
        return try FileFacts.names(in: folder.file("shards")).compactMap { name in
            do throws(ByteError) { return try EditionID(name) } catch { return nil }
        }
    }

    /// Puts the files of all shards aside, as they are of a journal that is not there any more:
    /// readers find none of its rows. All else that belonged to them is removed.
    /// - Returns: how many shards there were.
    static func putAsideAll(in folder: DataFolder) throws(StorageError) -> Int {
        var count = 0
        for edition in try editions(in: folder) {
            let directory = folder.file("shards/\(edition)")
            for name in try FileFacts.names(in: directory) where name.hasSuffix(".db") {
                guard let number = UInt16(name.dropLast(3)) else { continue }
                _ = try ShardPlace(Shard(number), of: edition, in: folder).putAside()
                count += 1
            }
            for name in try FileFacts.names(in: directory) where asideTime(of: name) == nil {
                try FileFacts.remove(directory + "/" + name)
            }
        }
        return count
    }

    /// Removes files of all shards that were put aside before a time, whether or not anybody opens these shards again.
    /// One that cannot be removed keeps no other from going; the last such error is thrown.
    package static func removePutAside(in folder: DataFolder, before seconds: Int) throws(StorageError) {
        var trouble: StorageError?
        for edition in try editions(in: folder) {
            let directory = folder.file("shards/\(edition)")
            for name in try FileFacts.names(in: directory) {
                guard let time = asideTime(of: name), time < seconds else { continue }
                do throws(StorageError) { try FileFacts.remove(directory + "/" + name) } catch { trouble = error }
            }
        }
        if let trouble { throw trouble }
    }

    /// The time at which a file was put aside; nil for any other file.
    private static func asideTime(of name: String) -> Int? {
        guard let mark = name.firstRange(of: asideMark) else { return nil }
        return Int(name[mark.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    /// Marks the file as suspect (`NN.suspect`), as a reader found it damaged. Where that cannot be
    /// written, it is to be passed on, and the next reader tries again.
    package func suspect() {
        let descriptor = unsafe open(suspicionPath, O_WRONLY | O_CREAT | O_CLOEXEC, DataFolder.fileMode)
        guard descriptor >= 0 else {
            suspicions?.add(ShardOfEdition(edition: edition, shard: shard))
            return
        }
        close(descriptor)
    }

    /// The mark of a suspect file, held by the worker that checks it. It is there until that is
    /// done: a process that ends meanwhile, or cannot check, leaves it to the next.
    struct Suspicion: ~Copyable {
        fileprivate let lock: FileLock

        func settle() throws(StorageError) { try FileFacts.remove(lock.path) }
    }

    /// Takes the mark of a suspect file. Nil where there is none, or another worker has it: of
    /// several that ask, one gets it. Damage that readers find from now on leaves another mark.
    func takeSuspicion() throws(StorageError) -> Suspicion? {
        // Not over the mark that another worker has, which that worker removes when it has checked.
        if unsafe link(suspicionPath, examinedPath) == 0 {
            try FileFacts.remove(suspicionPath)
        } else if errno != ENOENT, errno != EEXIST {
            throw .notAccessible(path: suspicionPath, code: errno)
        }
        guard let lock = try FileLock.take(examinedPath) else { return nil }
        return Suspicion(lock: lock)
    }

    /// The shards of an edition that readers found damaged, and that no worker has checked to the end.
    package static func suspected(of edition: EditionID, in folder: DataFolder) throws(StorageError) -> [Shard] {
        let directory = folder.file("shards/\(edition)")
        guard FileFacts(directory) != nil else { return [] }
        return try FileFacts.names(in: directory).compactMap { name in
            guard let ending = [suspicionEnding, examinedEnding].first(where: name.hasSuffix) else { return nil }
            return UInt16(name.dropLast(ending.count)).map { Shard($0) }
        }
    }
}
