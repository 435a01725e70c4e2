import Names
import Storage
import Wire

/// Rows of conversations as the files of the cache have them, read without any gateway, nor as gateways read them.
struct StoredRows {
    private var rows: PlainRows

    /// The reason for which there are no files to be read, though nothing is wrong.
    struct Absence: Error {
        var reason: String
    }

    /// - Throws: `Absence` where no single edition has all rows here, as another one fills it up, or as no service has
    ///   its files here.
    init(in folder: DataFolder) throws {
        guard let served = try ServedEdition.read(in: folder) else {
            throw Absence(reason: "no service has laid out its messages in \(folder.path) of this machine")
        }
        guard served.filler == nil else {
            throw Absence(reason: "another edition fills up the one that is served, so neither has all rows")
        }
        rows = PlainRows(of: served.edition, in: folder)
    }

    /// The rows of a conversation in order; nil where files are damaged.
    mutating func rows(of conversation: ConversationID) throws -> [PlainRows.Row]? {
        try rows.rows(of: conversation.text)
    }
}
