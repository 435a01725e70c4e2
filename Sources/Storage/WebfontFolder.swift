import Glibc

/// Fonts as clients fetch them, in `fonts/` of the folder: each under the hash of its bytes, which
/// never change, and for each face a list of the fonts that it is cut into.
///
/// ```text
/// fonts/9f…-0-1.slices    a line for the list: forme-webfonts-1 COUNT, and one for each slice: HASH BYTES CHARACTERS
///       3c….woff2
/// ```
///
/// A list is rewritten after each slice. A maker that was stopped goes on behind the last one, and a face
/// is offered once all are there. All of it may be deleted at any time: it is made again at the next start.
package struct WebfontFolder: Sendable {
    static let name = "fonts"

    package struct Slice: Equatable, Sendable {
        /// The hash of its bytes, 64 hexadecimal digits.
        package var hash: String
        package var bytes: Int
        /// Its characters, as a `unicode-range`.
        package var characters: String

        package init(hash: String, bytes: Int, characters: String) {
            (self.hash, self.bytes, self.characters) = (hash, bytes, characters)
        }
    }

    /// A face of a file.
    package struct Face: Hashable, Sendable {
        /// The hash of the file that it is cut from.
        var hash: String
        var index: Int

        package init(hash: String, index: Int) { (self.hash, self.index) = (hash, index) }
    }

    private let folder: DataFolder
    private let plan: Int
    private static let format = "forme-webfonts-1"
    /// The most slices that a face may have.
    package static let mostSlices = 1024

    /// - Parameter plan: the number of the plan by which faces are cut; another one cuts otherwise.
    package init(_ folder: DataFolder, plan: Int) { (self.folder, self.plan) = (folder, plan) }

    private var root: String { folder.file(Self.name) }

    private func list(of face: Face) -> String { "\(face.hash)-\(face.index)-\(plan).slices" }

    /// The path of a font.
    package func file(_ hash: String) -> String { "\(root)/\(hash).woff2" }

    package func has(_ slice: Slice) -> Bool { FileFacts(file(slice.hash))?.size == Int64(slice.bytes) }

    /// The slices of a face, and the number that there are to be; none where nothing is made, or the list is damaged.
    package func slices(of face: Face) throws(StorageError) -> (made: [Slice], count: Int) {
        guard let bytes = try FileFacts.contents(of: "\(root)/\(list(of: face))") else { return ([], 0) }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let head = lines.first?.split(separator: " ") ?? []
        guard head.count == 2, head[0] == Self.format, let count = Int(head[1]), 0...Self.mostSlices ~= count else {
            return ([], 0)
        }
        var made: [Slice] = []
        for line in lines.dropFirst().prefix(count) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[0].utf8.count == 64, let bytes = Int(words[1]) else { return ([], 0) }
            made.append(Slice(hash: String(words[0]), bytes: bytes, characters: String(words[2])))
        }
        return (made, count)
    }

    /// Every slice of a face; nil where one is missing.
    package func allSlices(of face: Face) throws(StorageError) -> [Slice]? {
        let (made, count) = try slices(of: face)
        return count > 0 && made.count == count ? made : nil
    }

    /// Makes fonts while no other process does: two makers at once would take each other's slices
    /// for ones that no list names.
    ///
    /// - Returns: false, and nothing is done, where another process makes them.
    package func alone(_ make: () throws -> Void) throws -> Bool {
        try prepare()
        let lock = try FileLock.open(folder: root)
        do {
            try lock.keep()
        } catch .inUse {
            return false
        }
        // The lock is held until then.
        defer { _ = lock.path }
        try make()
        return true
    }

    private func prepare() throws(StorageError) {
        try folder.create()
        guard unsafe mkdir(root, DataFolder.folderMode) == 0 || errno == EEXIST else {
            throw .notAccessible(path: root, code: errno)
        }
    }

    /// - Parameter font: the compressed font, with the hash that the last of `slices` names.
    package func keep(
        _ font: [UInt8], _ slices: [Slice], of count: Int, for face: Face
    ) throws(StorageError) {
        precondition(count <= Self.mostSlices && slices.count <= count)
        try prepare()
        guard let last = slices.last else { return }
        if !has(last) { try FileFacts.replace(file(last.hash), with: font) }
        let lines = slices.map { "\($0.hash) \($0.bytes) \($0.characters)\n" }.joined()
        try FileFacts.replace("\(root)/\(list(of: face))", with: Array("\(Self.format) \(count)\n\(lines)".utf8))
    }

    /// Removes files that none of these faces has, such as fonts that are not listed any more, and
    /// drafts of makers that were killed.
    package func removeAll(but faces: [Face]) throws(StorageError) {
        guard FileFacts(root) != nil else { return }
        var wanted = Set(faces.map(list))
        for face in faces { for slice in try slices(of: face).made { wanted.insert("\(slice.hash).woff2") } }
        for name in try FileFacts.names(in: root) where !wanted.contains(name) {
            try FileFacts.remove("\(root)/\(name)")
        }
    }
}
