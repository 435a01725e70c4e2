/// Why a file of keys or settings cannot be used. No case holds anything of what stands in a secret file.
package enum SettingsError: Error, Equatable, Sendable {
    case unreadable(path: String, code: Int32)
    case notWritable(path: String, code: Int32)
    /// Others than its owner can read the file, or replace what stands in it.
    case tooOpen(path: String, mode: UInt32)
    /// It belongs to another user than the one who runs this, and not to root.
    case foreignOwner(path: String)
    case notAKeyFile(path: String)
    /// The file is there, and is not overwritten.
    case exists(path: String)
    /// What was to be changed by line was written in another form.
    case editByHand(path: String)
}
