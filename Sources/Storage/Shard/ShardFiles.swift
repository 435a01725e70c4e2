/// The three files of a shard as they were when a connection had opened them: SQLite does not notice
/// when one of them is removed or replaced, and would go on with files that nobody else sees.
struct ShardFiles: Equatable {
    private let file: FileFacts.Identity?
    let log: FileFacts.Identity?
    let index: FileFacts.Identity?

    init(_ place: ShardPlace) {
        file = FileFacts.Identity(place.path)
        log = FileFacts.Identity(place.path + "-wal")
        index = FileFacts.Identity(place.path + "-shm")
    }

    /// Whether all of them are there.
    var areComplete: Bool { file != nil && log != nil && index != nil }

    /// Whether log and index have these inodes; false for 0, which stands for an unknown one.
    func has(log: UInt64, index: UInt64) -> Bool { self.log?.inode == log && self.index?.inode == index }

    /// Whether all of them are there, and nothing else in their place.
    func areIn(_ place: ShardPlace) -> Bool { areComplete && ShardFiles(place) == self }
}

extension FileFacts {
    /// The identity of a file, whatever its name.
    struct Identity: Equatable {
        let inode: UInt64
        let device: UInt64

        /// Nil where there is no such file.
        init?(_ path: String) {
            guard let facts = FileFacts(path) else { return nil }
            (inode, device) = (facts.inode, facts.device)
        }
    }
}
