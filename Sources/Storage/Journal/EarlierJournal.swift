import Bytes
import Glibc
import Pool

/// A copy of a journal of an earlier format, kept beside the journal that is made of it until that
/// is proved: `journal.before-3.db`.
///
/// ```text
/// copied, synced, renamed ─▶ taken along ─▶ compared, entry by entry ─▶ removed
///                                               └ differs: refused, and the copy stays
/// ```
///
/// Nothing is accepted before the copy is gone, so that no word is deleted in one of them and kept
/// in the other. A crash in between does no harm: a journal that is as it was is copied anew; one
/// that was taken along is compared by the next start.
struct EarlierJournal {
    private let folder: DataFolder
    private let name: String

    private static func name(of format: Int64) -> String { "journal.before-\(format).db" }

    /// Copies a journal of an earlier format; nil where it has today's, and nothing is left to be compared.
    static func keep(_ database: borrowing Database, in folder: DataFolder) throws(StorageError) -> EarlierJournal? {
        let format = try database.integer("PRAGMA user_version")
        guard format == OldLog.format else {
            let kept = EarlierJournal(folder: folder, name: name(of: OldLog.format))
            return FileFacts(folder.file(kept.name)) == nil ? nil : kept
        }
        let kept = EarlierJournal(folder: folder, name: name(of: format))
        let (path, draft) = (folder.file(kept.name), folder.file(kept.name + ".new"))
        try FileFacts.remove(path)
        try FileFacts.remove(draft)
        do {
            let copy = try Database.open(
                path: draft, .write, Database.Tuning(pageSize: database.pageSize, forgets: true, isScratch: true))
            try database.copy(to: copy)
        }
        try FileFacts.sync(draft)
        guard unsafe rename(draft, path) == 0 else { throw .unwritten(path, errno) }
        try FileFacts.sync(folder.path)
        return kept
    }

    private init(folder: DataFolder, name: String) { (self.folder, self.name) = (folder, name) }

    /// Tables that are taken along as they are.
    private static let tables = ["cards", "messages", "jobs", "progress", "shelf"]

    /// Compares the copy with the journal; throws where something of it is not there now.
    func prove(_ database: borrowing Database, _ index: LogIndex) throws(StorageError) {
        let copy = try Database.openAlone(path: folder.file(name))
        for table in Self.tables {
            let count = "SELECT count(*) FROM \(table)"
            let (before, now) = (try copy.integer(count), try database.integer(count))
            guard before == now else {
                throw difference(database.path, "\(table): \(before) rows, and now \(now)")
            }
        }
        guard try OldLog.isThere(in: copy) else { return }
        let (path, source) = (database.path, copy.path)
        // A value of its own, as it remembers where frames are.
        var index = index
        try OldLog.each(of: copy) { (draft) throws(StorageError) in
            var draft = draft
            let old: LogFrame
            do throws(ByteError) { old = try LogFrame(draft.ended(after: 0)) } catch {
                throw .damaged(path: source, error)
            }
            let new = try index.find(old.first)?.frame
            for place in old.places {
                guard let new, new.contains(place), old.bytes[old.body(at: place)] == new.bytes[new.body(at: place)],
                    old.bytes[old.change(at: place)] == new.bytes[new.change(at: place)]
                else { throw difference(path, "entry \(place.number)") }
            }
        }
    }

    func remove() throws(StorageError) {
        try FileFacts.remove(folder.file(name))
        try FileFacts.sync(folder.path)
    }

    private func difference(_ path: String, _ problem: String) -> StorageError {
        .notTakenAlong(path: path, problem, kept: folder.file(name))
    }
}
