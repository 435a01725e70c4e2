import Bytes
import Glibc
import Pool

/// A mark of how far the journal of a folder had come: `journal.mark`, beside it. By the mark an
/// older or newer copy of `journal.db` that somebody put in its place is noticed.
///
/// The file is mapped into memory: a commit costs two stores, and the kernel keeps them however the
/// process ends. Only the end of the machine may leave an older mark than the last. There are two
/// slots, written in turn, so that one is always whole.
///
/// | bytes of a slot | |
/// |---|---|
/// | 8 | serial: the slot with the higher one counts |
/// | 8 | lineage of the journal |
/// | 8 | place of its next entry |
/// | 8 | place of its next entry after the commit that is being made |
/// | 8 | 1 when it was closed, and nothing was written since |
/// | 8 | start of the machine, hashed |
/// | 8 | checksum |
/// | 8 | 0 |
@safe struct JournalMark: ~Copyable {
    static let file = "journal.mark"

    struct Value: Equatable {
        var lineage: UInt64
        var next: Int64
        var intended: Int64
        var isClosed: Bool
        var boot: UInt64
    }

    private let memory: UnsafeMutablePointer<UInt64>
    private var serial: UInt64 = 0
    /// The mark; nil where there was none, or none that is whole.
    private(set) var value: Value?

    private static let length = 4096
    private static let words = 8
    private static let seed: UInt64 = 0x4D61_726B

    /// Opens the mark for the coordinator, which alone writes it.
    static func open(path: String) throws(StorageError) -> JournalMark {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, DataFolder.fileMode)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        defer { close(descriptor) }
        // The whole file is allocated before it is mapped: a page without room would end the
        // process when the disk is full.
        let code = posix_fallocate(descriptor, 0, off_t(length))
        guard code == 0 else { throw .unwritten(path, code) }
        let memory = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw .notAccessible(path: path, code: errno)
        }
        return unsafe JournalMark(memory.bindMemory(to: UInt64.self, capacity: length / 8))
    }

    private init(_ memory: UnsafeMutablePointer<UInt64>) {
        unsafe self.memory = unsafe memory
        let words = (0..<2 * Self.words).map { unsafe UInt64(littleEndian: memory[$0]) }
        (serial, value) = Self.newest(words)
    }

    /// The mark in a file that another process may hold.
    static func read(path: String) throws(StorageError) -> Value? {
        guard let bytes = try FileFacts.contents(of: path), bytes.count >= 16 * words else {
            return nil
        }
        return newest(
            (0..<2 * words).map { word in
                bytes[8 * word..<8 * word + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        ).value
    }

    /// The younger of the two slots that is whole.
    private static func newest(_ words: [UInt64]) -> (serial: UInt64, value: Value?) {
        var found: (serial: UInt64, value: Value?) = (0, nil)
        for slot in 0..<2 {
            let words = Array(words[slot * Self.words..<(slot + 1) * Self.words])
            guard words[0] > found.serial, words[6] == sum(words) else { continue }
            let value = Value(
                lineage: words[1], next: Int64(bitPattern: words[2]), intended: Int64(bitPattern: words[3]),
                isClosed: words[4] == 1, boot: words[5])
            found = (words[0], value)
        }
        return found
    }

    deinit { unsafe munmap(memory, Self.length) }

    private static func sum(_ words: [UInt64]) -> UInt64 {
        var sum = Checksum(seed: seed)
        for word in words.prefix(6) { sum.add(word) }
        return sum.wide
    }

    mutating func put(_ new: Value) {
        serial += 1
        value = new
        let words: InlineArray<6, UInt64> = [
            serial, new.lineage, UInt64(bitPattern: new.next), UInt64(bitPattern: new.intended),
            new.isClosed ? 1 : 0, new.boot,
        ]
        let slot = Int(serial % 2) * Self.words
        var sum = Checksum(seed: Self.seed)
        for place in words.indices {
            unsafe memory[slot + place] = words[place].littleEndian
            sum.add(words[place])
        }
        unsafe memory[slot + words.count] = sum.wide.littleEndian
    }

    /// Notes that a commit is being made that ends before this place.
    mutating func announce(_ next: LogPosition) {
        guard var value, value.intended != next.number || value.isClosed else { return }
        value.intended = next.number
        value.isClosed = false
        put(value)
    }

    /// Notes that the commit was made.
    mutating func note(_ next: LogPosition) {
        guard var value, value.next != next.number else { return }
        (value.next, value.intended) = (next.number, next.number)
        put(value)
    }

    /// Syncs the mark.
    func sync() { unsafe msync(memory, Self.length, MS_SYNC) }

    /// The start of the machine, in eight bytes.
    static func hash(ofBoot boot: String) -> UInt64 {
        var sum = Checksum()
        sum.add(Array(boot.utf8), from: 0)
        return sum.wide
    }
}

extension JournalMark {
    /// The place up to which entries were acknowledged, where the folder's mark is of this journal; else 0.
    static func acknowledged(in folder: DataFolder, of database: borrowing Database) throws(StorageError) -> LogPosition
    {
        guard let mark = try read(path: folder.file(file)),
            try JournalLink.read(from: database)?.lineage == mark.lineage
        else { return LogPosition(0) }
        return LogPosition(mark.next)
    }
}

extension JournalMark.Value {
    /// The mark of a journal that is being opened.
    init(_ link: JournalLink, next: Int64, boot: String) {
        self.init(
            lineage: link.lineage, next: next, intended: next, isClosed: false,
            boot: JournalMark.hash(ofBoot: boot))
    }

    /// The reason why a journal is not the one that was here last; nil where it is.
    ///
    /// - Parameters:
    ///   - link: the link of the journal; its lineage tells lives apart.
    ///   - next: the place of its next entry.
    ///   - boot: the id of this start of the machine.
    func objection(to link: JournalLink, next: Int64, boot: String) -> String? {
        if link.lineage != lineage {
            return "this journal is of another life than the one that was here"
        }
        if next < self.next {
            return "this journal has entries up to \(next), and there was one with \(self.next)"
        }
        if next <= intended { return nil }
        // A power failure may have taken the newest mark; but nothing is written after a close.
        if !isClosed && self.boot != JournalMark.hash(ofBoot: boot) { return nil }
        return "this journal has entries up to \(next), and the one that was here had \(self.next)"
    }
}
