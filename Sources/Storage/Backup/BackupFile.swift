import Bytes
import Glibc
import JSON

/// The file of a backup: everything in a folder that cannot be made again. The journal comes first,
/// byte for byte a SQLite file, then the segments of its log and small files by name, then a table
/// of all parts, and an end that tells a complete file from a cut one.
///
/// ```json
/// {"parts":[{"name":"journal.db","bytes":1048576,"checksum":"8c1f00a97be23d10"},{"name":"manifest.json", …}]}
/// ```
///
/// | bytes of the end | |
/// |---|---|
/// | 8 | bytes of the table before it |
/// | 8 | checksum of the table |
/// | 8 | bytes of the whole file |
/// | 8 | checksum of these 24 |
/// | 4 | format: 1 |
/// | 12 | `forme backup` |
///
/// Numbers are little-endian. The checksum of a part is taken over pieces of 1 MiB.
struct BackupFile {
    struct Part: Equatable {
        var name: String
        var bytes: Int64
        var checksum: UInt64
    }

    static let format = UInt32(StoredFormat.backup.newest)
    static let magic = Array("forme backup".utf8)
    static let endLength = 48
    static let piece = 1 << 20
    /// The length of the longest table that is read: no folder has names for as much.
    private static let tableLimit: Int64 = 64 << 20

    let path: String
    let parts: [Part]
    let bytes: Int64

    /// Reads the table alone; `verify` checks the parts.
    init(reading path: String) throws(StorageError) {
        self.path = path
        let file = try PlainFile.read(path)
        bytes = try file.size
        guard bytes >= Int64(Self.endLength) else {
            throw .notABackup(path: path, "it is shorter than any backup")
        }
        let end = try file.bytes(Self.endLength, at: bytes - Int64(Self.endLength))
        guard end.suffix(12).elementsEqual(Self.magic) else {
            throw .notABackup(
                path: path, "it does not end as one, so it is something else, or only a part of one")
        }
        let format = UInt32(Self.number(end[32..<36]))
        guard format == Self.format else {
            throw .foreignFormat(path: path, found: Int64(format), expected: Int64(Self.format))
        }
        guard Checksum.wide(of: Array(end[0..<24])) == Self.number(end[24..<32]) else {
            throw .notABackup(path: path, "its end is damaged")
        }
        guard Self.number(end[16..<24]) == UInt64(bytes) else {
            throw .notABackup(
                path: path, "it has \(bytes) bytes, and \(Self.number(end[16..<24])) were written")
        }
        let length = Int64(bitPattern: Self.number(end[0..<8]))
        let start = bytes - Int64(Self.endLength) - length
        guard length > 0, length <= Self.tableLimit, start >= 0 else {
            throw .notABackup(path: path, "its table cannot be read")
        }
        let table = try file.bytes(Int(length), at: start)
        guard Checksum.wide(of: table) == Self.number(end[8..<16]) else {
            throw .notABackup(path: path, "its table is damaged")
        }
        do throws(JSONError) {
            parts = try Self.parts(table)
        } catch {
            throw .notABackup(path: path, "its table cannot be read: \(error)")
        }
        guard parts.first?.name == JournalOpening.file,
            parts.contains(where: { $0.name == FolderManifest.name }),
            parts.allSatisfy({ Self.isAllowed($0.name) }), Set(parts.map(\.name)).count == parts.count,
            parts.reduce(0, { $0 &+ $1.bytes }) == start
        else {
            throw .notABackup(
                path: path, "its table names something else than a journal and what belongs to it")
        }
    }

    /// Whether a file ends as a backup, or has nothing in it.
    static func mayReplace(_ path: String) throws(StorageError) -> Bool {
        // Anything but a file, such as a pipe, may have no end, and opening it may block.
        guard FileFacts.isFile(path) else { return false }
        let file = try PlainFile.read(path)
        let bytes = try file.size
        guard bytes > 0 else { return true }
        guard bytes >= Int64(endLength) else { return false }
        return try file.bytes(magic.count, at: bytes - Int64(magic.count)) == magic
    }

    /// Whether a name is one of the known files, a segment, or a path within the editions, and leads nowhere else.
    private static func isAllowed(_ name: String) -> Bool {
        if [JournalOpening.file, FolderManifest.name, ServedEdition.name, ReplicaRecords.name].contains(name) {
            return true
        }
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        if steps.count == 2, steps[0] == SegmentName.folder { return SegmentName(String(steps[1])) != nil }
        return steps.count > 1 && steps[0] == EditionFolder.name && !name.utf8.contains(0)
            && steps.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    private static func parts(_ table: [UInt8]) throws(JSONError) -> [Part] {
        let fields = try JSONReader(JSONValue.parse(table)).object(knownKeys: ["parts"])
        var parts: [Part] = []
        for reader in try fields.required("parts").elements() {
            let part = try reader.object(knownKeys: ["name", "bytes", "checksum"])
            let checksum = try part.required("checksum")
            guard let number = UInt64(try checksum.string(), radix: 16) else {
                throw checksum.mismatch(expected: "hexadecimal digits")
            }
            parts.append(
                Part(
                    name: try part.required("name").string(),
                    bytes: Int64(try part.required("bytes").integer(in: 0...Int.max)), checksum: number))
        }
        return parts
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Compares every byte with the table.
    func verify(progress: (UInt64, UInt64) -> Void = { _, _ in }) throws(StorageError) {
        let file = try PlainFile.read(path)
        var place: Int64 = 0
        for part in parts {
            try walk(part, at: place, in: file) { _, done in progress(UInt64(done), UInt64(bytes)) }
            place += part.bytes
        }
    }

    /// The byte at which a part begins.
    func start(of part: Part) -> Int64 { parts.prefix { $0 != part }.reduce(0) { $0 + $1.bytes } }

    /// Writes a part into a new file, which has all of it on the disk when this returns.
    func extract(_ part: Part, to target: String) throws(StorageError) {
        let file = try PlainFile.read(path)
        let copy = try PlainFile.create(target)
        try walk(part, at: start(of: part), in: file) { (piece, _) throws(StorageError) in try copy.append(piece)
        }
        try copy.sync()
    }

    private func walk(
        _ part: Part, at start: Int64, in file: borrowing PlainFile,
        _ take: ([UInt8], Int64) throws(StorageError) -> Void
    ) throws(StorageError) {
        var sum = Checksum()
        var done: Int64 = 0
        while done < part.bytes {
            let piece = try file.bytes(Int(min(Int64(Self.piece), part.bytes - done)), at: start + done)
            sum.add(piece, from: 0)
            done += Int64(piece.count)
            try take(piece, start + done)
        }
        guard sum.wide == part.checksum else {
            throw .notABackup(path: path, "\(part.name) in it is damaged")
        }
    }
}

/// A backup file while it is made: the journal is in it already.
struct BackupDraft: ~Copyable {
    private let file: PlainFile
    private var parts: [BackupFile.Part]
    private var bytes: Int64

    /// - Parameter path: a file that has a journal, and nothing else.
    init(of path: String, progress: (UInt64, UInt64) -> Void) throws(StorageError) {
        let file = try PlainFile.extend(path)
        let whole = try file.size
        var sum = Checksum()
        var done: Int64 = 0
        while done < whole {
            let piece = try file.bytes(Int(min(Int64(BackupFile.piece), whole - done)), at: done)
            sum.add(piece, from: 0)
            done += Int64(piece.count)
            progress(UInt64(done), UInt64(whole))
        }
        self.file = file
        bytes = whole
        parts = [BackupFile.Part(name: JournalOpening.file, bytes: whole, checksum: sum.wide)]
    }

    /// Adds a file, by pieces.
    mutating func add(_ name: String, from path: String) throws(StorageError) {
        let source = try PlainFile.read(path)
        let whole = try source.size
        var sum = Checksum()
        var done: Int64 = 0
        while done < whole {
            let piece = try source.bytes(Int(min(Int64(BackupFile.piece), whole - done)), at: done)
            sum.add(piece, from: 0)
            try file.append(piece)
            done += Int64(piece.count)
        }
        bytes += whole
        parts.append(BackupFile.Part(name: name, bytes: whole, checksum: sum.wide))
    }

    mutating func add(_ name: String, _ contents: [UInt8]) throws(StorageError) {
        var sum = Checksum()
        for start in stride(from: 0, to: contents.count, by: BackupFile.piece) {
            sum.add(Array(contents[start..<min(start + BackupFile.piece, contents.count)]), from: 0)
        }
        try file.append(contents)
        bytes += Int64(contents.count)
        parts.append(BackupFile.Part(name: name, bytes: Int64(contents.count), checksum: sum.wide))
    }

    /// Completes the file and syncs it. Returns its length.
    mutating func finish() throws(StorageError) -> Int64 {
        var json = JSONWriter()
        json.object { json in
            json.key("parts")
            json.array { json in
                for part in parts {
                    json.object {
                        $0.key("name")
                        $0.string(part.name)
                        $0.key("bytes")
                        $0.integer(part.bytes)
                        $0.key("checksum")
                        $0.string(String(part.checksum, radix: 16))
                    }
                }
            }
        }
        let whole = bytes + Int64(json.bytes.count + BackupFile.endLength)
        var end: [UInt8] = []
        for number in [UInt64(json.bytes.count), Checksum.wide(of: json.bytes), UInt64(whole)] {
            end += Self.bytes(number)
        }
        end += Self.bytes(Checksum.wide(of: end))
        end += Self.bytes(UInt64(BackupFile.format)).prefix(4)
        try file.append(json.bytes + end + BackupFile.magic)
        try file.sync()
        return whole
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}

extension Checksum {
    fileprivate static func wide(of bytes: [UInt8]) -> UInt64 {
        var sum = Checksum()
        sum.add(bytes, from: 0)
        return sum.wide
    }
}
