import Glibc
import JSON
package import Wire

/// The editions that the folder keeps, each under `editions/ID/`, for their owner and a group that may read:
///
/// ```text
/// editions/wanted.json           the edition that is to be served, and the start of the service that wanted it
///          1f0e…/edition.json    all that a worker needs to lay it out, but for fonts (`FormeLayout.CompiledEdition`)
///               files.json      the shards of each of its files, where a file has more than one
/// ```
///
/// An edition is written before any worker starts for it, and goes when it is retired. Workers take
/// it from here, so that none of them depends on the files of a style, which may have changed
/// since. Several processes may keep and remove editions at once: each locks the folder.
package struct EditionFolder: Sendable {
    static let name = "editions"

    let folder: DataFolder

    package init(_ folder: DataFolder) { self.folder = folder }

    var root: String { folder.file(Self.name) }
    func directory(_ edition: EditionID) -> String { "\(root)/\(edition)" }
    private func file(_ edition: EditionID) -> String { "\(directory(edition))/edition.json" }
    private var wantedFile: String { "\(root)/wanted.json" }

    /// The compiled edition as JSON. Nil where it is not kept: its rows were laid out before there
    /// were such files, or it is gone.
    package func edition(_ id: EditionID) throws(StorageError) -> [UInt8]? { try FileFacts.contents(of: file(id)) }

    /// - Parameter json: a `CompiledEdition`.
    package func keep(_ json: [UInt8], of id: EditionID) throws(StorageError) {
        try create(root)
        try FileLock.open(folder: root).during { () throws(StorageError) in
            guard try edition(id) != json else { return try FileFacts.touch(file(id)) }
            try create(directory(id))
            try FileFacts.replace(file(id), with: json)
            for path in [directory(id), root, folder.path] { try FileFacts.sync(path) }
        }
    }

    package func remove(_ id: EditionID) throws(StorageError) {
        guard FileFacts(directory(id)) != nil else { return }
        try FileLock.open(folder: root).during { () throws(StorageError) in
            try FileFacts.removeTree(directory(id))
        }
    }

    /// Whether an edition was kept so lately that the process that kept it may not have noted it as wanted yet.
    package func isAwaited(_ id: EditionID) throws(StorageError) -> Bool {
        guard let facts = FileFacts(file(id)) else { return false }
        return WallClock.seconds - facts.changed < Self.awaiting
    }

    /// Seconds for which the file of an edition stays that nobody comes to want.
    private static let awaiting = 3600

    /// All editions that are kept.
    package func all() throws(StorageError) -> [EditionID] {
        guard FileFacts(root) != nil else { return [] }
        return try FileFacts.names(in: root).compactMap { try? EditionID($0) }
    }

    func create(_ directory: String) throws(StorageError) {
        try folder.create()
        guard unsafe mkdir(directory, DataFolder.folderMode) == 0 || errno == EEXIST else {
            throw .notAccessible(path: directory, code: errno)
        }
    }
}

/// The edition that is to be served, as soon as all is laid out in it, or before. The coordinator alone writes it.
package struct WantedEdition: Equatable, Sendable {
    package var edition: EditionID
    /// The last start of the service at which an edition was wanted: one that was wanted since, by
    /// command, stays until the next start.
    package var start: String
    /// Whether it is to be served as soon as the rows that readers look at are laid out in it.
    package var isHurried: Bool

    package init(_ edition: EditionID, start: String, isHurried: Bool = false) {
        (self.edition, self.start, self.isHurried) = (edition, start, isHurried)
    }
}

extension EditionFolder {
    /// Nil where nobody has wanted one yet.
    package func wanted() throws(StorageError) -> WantedEdition? {
        guard let bytes = try FileFacts.contents(of: wantedFile) else { return nil }
        do {
            let fields = try JSONReader(JSONValue.parse(bytes)).object()
            return WantedEdition(
                try EditionID(fields.required("edition").string()), start: try fields.required("start").string(),
                isHurried: try fields.optional("now")?.bool() ?? false)
        } catch {
            throw .unreadable(path: wantedFile, "\(error)")
        }
    }

    package func want(_ wanted: WantedEdition) throws(StorageError) {
        guard try self.wanted() != wanted else { return }
        var json = JSONWriter()
        json.object {
            $0.key("edition")
            $0.string(wanted.edition.text)
            $0.key("start")
            $0.string(wanted.start)
            if wanted.isHurried {
                $0.key("now")
                $0.bool(true)
            }
        }
        try create(root)
        try FileFacts.replace(wantedFile, with: json.bytes + [0x0A])
    }
}
