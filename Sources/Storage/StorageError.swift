package import Wire

/// Why a file could not be opened, read or written. Cases carry facts; the commands say what to do about them.
package enum StorageError: Error, Equatable, Sendable {
    /// Another process holds the lock of this file and means to keep it.
    case inUse(path: String)
    /// The folder or file cannot be made, opened or written; the number is the kernel's.
    case notAccessible(path: String, code: Int32)
    /// There is nothing yet to read.
    case absent(path: String)
    /// Made by another version of Forme.
    case foreignFormat(path: String, found: Int64, expected: Int64)
    /// What SQLite answered: its code and its words.
    case sqlite(path: String, code: Int32, message: String)
    /// A stored value cannot be read back.
    case damaged(path: String, WireError)
}
