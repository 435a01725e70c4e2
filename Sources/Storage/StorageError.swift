package import Bytes
import CSQLite
import Glibc
import Wire

/// The reason why a file could not be opened, read or written. Cases carry facts; the commands say
/// what to do about them.
package enum StorageError: Error, Equatable, Sendable {
    /// Another process holds the lock of this file and means to keep it.
    case inUse(path: String)
    /// The folder or file cannot be made, opened or written; the number is the kernel's.
    case notAccessible(path: String, code: Int32)
    /// The file is there and may not be read; the number is the kernel's.
    case notReadable(path: String, code: Int32)
    /// A folder of another user that still other users can enter.
    case tooOpen(path: String, mode: UInt32)
    /// There is nothing yet to read.
    case absent(path: String)
    /// The file was made by another version of Forme.
    case foreignFormat(path: String, found: Int64, expected: Int64)
    /// A folder that a newer release was committed to: a format of it, and its version here and
    /// there. Nothing was changed.
    case newerFormat(path: String, format: String, found: Int64, newest: Int64)
    /// Entries that were taken along from an earlier format differ from those that were there; the
    /// difference, and the copy of all of it as it was.
    case notTakenAlong(path: String, String, kept: String)
    /// A text file with something else in it than it may have; the file and the fault.
    case unreadable(path: String, String)
    /// There is no room left on the disk; nothing was written.
    case full(path: String)
    /// A file that is not what SQLite once wrote; the first fault that it found.
    case corrupt(path: String, String)
    /// A process holds the lock of this file, and does not go on: it was stopped, or waits for a dead disk.
    case blocked(path: String, by: Int32?)
    /// The write-ahead log has grown past its limit, to so many bytes: a reader does not come to an end.
    case logTooLong(path: String, bytes: Int64)
    /// Another answer of SQLite: its code and its words.
    case sqlite(path: String, code: Int32, message: String)
    /// The log beside this journal is that of another one, or of another time of this one. Nothing was changed.
    case foreignLog(path: String)
    /// A segment of the log in this folder is missing, is of another log, or is damaged; the fault.
    /// Nothing was changed.
    case brokenLog(path: String, String)
    /// The disk did not take what was written into this file; nobody knows what of it is there. The
    /// number is the kernel's.
    case notSynced(path: String, code: Int32)
    /// A turn of the cluster's log that was numbered for another number of shards than the own one of this journal.
    /// Nothing of it is in the journal.
    case otherShards(path: String, own: Int)
    /// The records of a host of a cluster are of so many partitions of the log, and another number was asked for.
    case otherPartitions(path: String, own: Int, asked: Int)
    /// A journal of a host of a cluster has so many entries, and its records of the log so many: some came otherwise.
    case besideLog(path: String, entries: Int64, ofLog: Int64)
    /// There was a journal in this folder, and it is gone.
    case missingJournal(path: String)
    /// A file that is no backup, or not all of one; the fault.
    case notABackup(path: String, String)
    /// A file that a backup would replace, and that is to stay; the reason.
    case notReplaced(path: String, String)
    /// A folder with something else in it than what Forme keeps.
    case foreignFolder(path: String, String)
    /// A restore was interrupted in this folder before it was through.
    case unfinishedRestore(path: String)
    /// A stored value cannot be read back.
    case damaged(path: String, ByteError)
}

extension StorageError {
    /// The kernel's codes where a file may not grow: the disk is full, or somebody's share of it,
    /// or the file is too long.
    private static let noRoom = [ENOSPC, EDQUOT, EFBIG]

    /// SQLite's codes where the disk did not confirm that it has a file, or the names in a folder.
    private static let unsynced = [Int32(forme_sqlite_unsynced_file), Int32(forme_sqlite_unsynced_names)]

    /// The error that the connection reported last.
    @safe static func sqlite(_ path: String, _ status: Int32, _ raw: OpaquePointer?) -> StorageError {
        let message = unsafe String(cString: sqlite3_errmsg(raw))
        let kernel = unsafe raw.map { unsafe sqlite3_system_errno($0) } ?? 0
        switch status & 0xFF {
        case SQLITE_FULL: return .full(path: path)
        // Also for want of room: what was to be brought to the disk may be gone.
        case SQLITE_IOERR where unsynced.contains(status):
            return .notSynced(path: path, code: kernel == 0 ? EIO : kernel)
        case SQLITE_IOERR where noRoom.contains(kernel): return .full(path: path)
        // A file or its log is shorter than SQLite knows it to be.
        case SQLITE_IOERR where status == Int32(forme_sqlite_short_read): return .corrupt(path: path, message)
        // The kernel opens no file, whatever its name.
        case SQLITE_CANTOPEN where [EMFILE, ENFILE].contains(kernel): return .notAccessible(path: path, code: kernel)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt(path: path, message)
        case SQLITE_BUSY, SQLITE_LOCKED: return .blocked(path: path, by: nil)
        default: return .sqlite(path: path, code: status, message: message)
        }
    }
}

extension StorageError {
    /// Damage, where a sync of this file has failed: the kernel may have thrown away what it could not write, and says
    /// nothing of it when it is asked again. Any other error is itself.
    func damage(of file: String) -> StorageError {
        guard case .notSynced(let path, let code) = self, path == file else { return self }
        return .corrupt(path: file, Self.reason(unsynced: code))
    }

    /// The reason for which a file of a shard is put aside that could not be synced.
    static func reason(unsynced code: Int32) -> String {
        "a sync of it failed: \(unsafe String(cString: strerror(code)))"
    }
}
