import Bytes
package import Wire

/// The number that a coordinator writes into its folder when it starts, so that workers can prove
/// that they see this very folder.
///
/// The proof covers the inode and device of that file and the start of the machine, too. So neither
/// a copy of the folder passes, nor a folder of another machine that was copied with its disk.
extension FolderProof {
    private static let name = "coordinator.session"

    /// Writes a new number, and returns the proof that a worker of the folder has to give.
    package static func make(in folder: DataFolder) throws(StorageError) -> FolderProof {
        let number = String(UInt64.random(in: 1 ... .max), radix: 16)
        try FileFacts.replace(folder.file(name), with: Array("\(number)\n".utf8))
        return try read(in: folder)
    }

    /// The proof that a worker can give of the folder that it has.
    package static func read(in folder: DataFolder) throws(StorageError) -> FolderProof {
        let path = folder.file(name)
        guard let bytes = try FileFacts.contents(of: path), let facts = FileFacts(path) else { return .none }
        var sum = Checksum()
        sum.add(bytes, from: 0)
        sum.add(facts.device)
        sum.add(facts.inode)
        sum.add(Array(try FileFacts.bootID().utf8), from: 0)
        return FolderProof(max(1, sum.wide))
    }
}
