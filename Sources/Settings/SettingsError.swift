/// The reason why a file of keys or settings cannot be used. No case holds anything from a secret file.
package enum SettingsError: Error, Equatable, Sendable {
    case unreadable(path: String, code: Int32)
    case notWritable(path: String, code: Int32)
    /// Users other than its owner can read the file, or replace its content.
    case tooOpen(path: String, mode: UInt32)
    /// The file belongs neither to the user who runs this nor to root.
    case foreignOwner(path: String)
    case notAKeyFile(path: String)
    /// The file is there, and is not overwritten.
    case exists(path: String)
    /// The lines that were to be changed are written in another form.
    case editByHand(path: String)
}
