import Glibc
import JSON
package import Pool
package import Wire

// The map of an edition's files and shards: `editions/ID/files.json`, written by the coordinator
// before anything is laid out in the edition.
//
// ```json
// {"shards": 16, "files": 4}
// ```
//
// Where there is none, each shard has a file of its own, as with all editions of older builds.
extension EditionFolder {
    private func filesFile(_ edition: EditionID) -> String { "\(directory(edition))/files.json" }

    /// The map of an edition; nil where each shard has a file of its own.
    package func files(of edition: EditionID) throws(StorageError) -> FileMap? {
        let path = filesFile(edition)
        guard let bytes = try FileFacts.contents(of: path) else { return nil }
        do throws(JSONError) {
            let fields = try JSONReader(JSONValue.parse(bytes)).object(knownKeys: ["shards", "files"])
            let shards = try fields.required("shards").integer(in: 1...4096)
            let files = try fields.required("files")
            let map = FileMap(shards: shards, atMost: try files.integer(in: 1...shards))
            guard map.files == (try files.integer(in: 1...shards)) else {
                throw files.mismatch(expected: "a number that divides \(shards)")
            }
            return map
        } catch {
            throw .unreadable(path: path, "\(error)")
        }
    }

    /// Decides the map of an edition in which nothing was laid out yet; else it stays as it is.
    /// - Parameter most: the most files; all of them have the same number of shards.
    package func decideFiles(of edition: EditionID, shards: Int, atMost most: Int) throws(StorageError) -> FileMap {
        if let known = try files(of: edition) { return known }
        let map = FileMap(shards: shards, atMost: most)
        guard map.files < shards, try !hasShards(edition) else { return FileMap(shards: shards) }
        try keep(map, of: edition)
        return map
    }

    /// The map as it was decided; where that was lost, it is written again as the journal remembers it.
    package func files(
        of edition: EditionID, shards: Int, as progress: [ShardProgress]
    ) throws(StorageError) -> FileMap {
        if let known = try files(of: edition) { return known }
        guard let map = FileMap(shards: shards, of: edition, as: progress), map.files < shards else {
            return FileMap(shards: shards)
        }
        try keep(map, of: edition)
        return map
    }

    private func keep(_ map: FileMap, of edition: EditionID) throws(StorageError) {
        for path in [root, directory(edition)] { try create(path) }
        var json = JSONWriter()
        json.object {
            $0.key("shards")
            $0.integer(map.shards)
            $0.key("files")
            $0.integer(map.files)
        }
        try FileFacts.replace(filesFile(edition), with: json.bytes + [0x0A])
        for path in [directory(edition), root] { try FileFacts.sync(path) }
    }

    private func hasShards(_ edition: EditionID) throws(StorageError) -> Bool {
        let directory = ShardPlace(Shard(0), of: edition, in: folder).directory
        guard FileFacts(directory) != nil else { return false }
        return try FileFacts.names(in: directory).contains { $0.contains(".db") }
    }
}

extension ShardPlace {
    /// The file of an edition that has a shard.
    package init(with shard: Shard, of edition: EditionID, in folder: DataFolder) throws(StorageError) {
        let file = try EditionFolder(folder).files(of: edition)?.file(of: shard).number ?? shard.number
        self.init(Shard(file), of: edition, in: folder)
    }
}
