import Glibc

// The test that tells a data folder from any other.
extension DataFolder {
    /// Names of which every data folder has at least one; keys and tokens may be made in it before its first start.
    private static let ownNames: Set = [
        JournalOpening.file, JournalOpening.lock, JournalMark.file, FolderManifest.name, FolderFormats.name,
        ServedEdition.name, EditionFolder.name, hostRecords, StagedRestore.ready, "shards", "keys", "tokens",
    ]

    /// Refuses an existing folder that has other things in it and nothing of Forme: all of them
    /// would be closed to other users, and some may have names that Forme uses.
    package func refuseForeign() throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAccessible(path: path, code: ENOTDIR) }
        let names = try FileFacts.names(in: path).filter { !Self.saysNothing($0) }
        guard let first = names.min(), Self.ownNames.isDisjoint(with: names) else { return }
        throw .foreignFolder(path: path, first)
    }

    /// Whether a name may be in an empty folder, in one that a gateway used first, or in one that has been prepared.
    private static func saysNothing(_ name: String) -> Bool {
        let (names, endings) = (["lost+found", WebfontFolder.name], [".ipc", ".json5"])
        return name.hasPrefix(".") || names.contains(name) || endings.contains { name.hasSuffix($0) }
    }
}
