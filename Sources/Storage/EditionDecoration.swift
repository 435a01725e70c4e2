package import Wire

/// The decoration of an edition's rows, from the style of its workers: `shards/EDITION/decoration.json`.
/// Workers write it for gateways that were started with another style. It goes when the edition goes.
package enum EditionDecoration {
    private static func path(_ edition: EditionID, _ folder: DataFolder) -> String {
        folder.file("shards/\(edition)/decoration.json")
    }

    /// Nil where no worker left any.
    package static func read(of edition: EditionID, in folder: DataFolder) throws(StorageError) -> [UInt8]? {
        try FileFacts.contents(of: path(edition, folder))
    }

    /// - Parameter json: the value of `decoration` in the file of a style.
    package static func write(_ json: [UInt8], of edition: EditionID, in folder: DataFolder) throws(StorageError) {
        guard try read(of: edition, in: folder) != json else { return }
        try FileFacts.replace(path(edition, folder), with: json)
    }
}
