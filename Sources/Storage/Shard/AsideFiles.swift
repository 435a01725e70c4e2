import Names
import Wire

/// The files of a shard that were put aside, as messages go out of the shard.
///
/// Rows of messages whose content is no longer kept may still be taken over from them (``CarriedRows``). So where
/// SQLite finds nothing wrong with such a file, only the rows of messages that went are overwritten in it. In a damaged
/// one nobody knows where their words are, and one of another era or format is of no use: these are removed.
struct AsideFiles {
    private let place: ShardPlace
    private let settings: ShardSettings
    /// Files that were found sound; nobody else writes them.
    private var sound: Set<String> = []

    init(of place: ShardPlace, _ settings: ShardSettings) { (self.place, self.settings) = (place, settings) }

    /// Takes messages out of all of them, so that no file has a byte of their rows. Never throws `.corrupt`.
    mutating func forget(_ messages: Set<MessageNumber>) throws(StorageError) {
        for file in try place.putAsides() {
            do throws(StorageError) {
                if try isRid(file, of: messages) { continue }
            } catch {
                // This is tried again, as the file may have the only rows of other messages.
                if error.isPassing { throw error }
            }
            sound.remove(file.path)
            try file.remove()
        }
    }

    /// Whether the file is without the messages now; false where it is to be removed.
    private mutating func isRid(_ file: ShardPlace, of messages: Set<MessageNumber>) throws(StorageError) -> Bool {
        let database = try ShardOpening.database(at: file, settings)
        guard ShardTables.knownFormats.contains(try database.integer("PRAGMA user_version")),
            UInt64(bitPattern: try database.integer("SELECT era FROM meta")) == settings.era
        else { return false }
        if !sound.contains(file.path) {
            guard try database.quickCheck() == nil else { return false }
            sound.insert(file.path)
        }
        try database.transaction { () throws(StorageError) in
            let drop = try database.prepare("DELETE FROM rows WHERE number = ?")
            for message in messages { try drop.run(.integer(message.number)) }
        }
        // Its log may have words of these messages from before it was put aside.
        guard try database.emptyLog(patience: 100) else { throw .blocked(path: file.path, by: nil) }
        return true
    }
}
