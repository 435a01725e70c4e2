import Bytes
import Names
import Pool
import Wire

/// A follower of a log that another process may be writing, from where the tables of its journal end.
struct LogFollower {
    let log: UInt64
    private let folder: String
    private var cursor: LogCursor
    private(set) var progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    private(set) var memory: CardMemory

    /// See `ConversationNotes`.
    var touched: Set<ConversationID>? {
        get { memory.notes.touched }
        set { memory.notes.touched = newValue }
    }

    /// Bytes that are read at once: frames are small, and mostly none is new.
    private static let chunk = 64 << 10

    /// - Parameter progress: the progress in the tables.
    init(
        _ place: LogPlace, in folder: DataFolder, _ progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) {
        (log, cursor, self.progress) = (place.log, place.cursor, progress)
        self.folder = folder.file(SegmentName.folder)
        memory = CardMemory(after: LogPosition(place.cursor.next.number - 1))
    }

    /// Reads the log of a journal that has it in a table of the same file.
    init(
        of database: borrowing Database, in folder: DataFolder, merged: LogPosition,
        _ progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(StorageError) {
        let start = SegmentHeader(log: 0, number: 1, first: LogPosition(merged.number + 1), chain: 0, previous: nil)
        (log, cursor, self.progress) = (0, LogCursor(start), progress)
        self.folder = folder.path
        var memory = CardMemory(after: merged)
        let path = database.path
        var next = merged.number + 1
        try OldLog.each(of: database, after: merged) { (draft) throws(StorageError) in
            guard draft.first.number == next else {
                throw .corrupt(path: path, "entries \(next) to \(draft.first.number - 1) are missing")
            }
            do throws(ByteError) {
                var draft = draft
                let frame = try LogFrame(draft.ended(after: 0))
                for place in frame.places {
                    memory.take(try LogChange(decoding: frame.bytes[frame.change(at: place)]), at: place)
                }
                next = frame.next.number
            } catch {
                throw .damaged(path: path, error)
            }
        }
        self.memory = memory
    }

    /// The place of the next entry.
    var next: LogPosition { LogPosition(memory.through.number + 1) }

    /// Takes up the frames that have come since.
    /// - Returns: false where the next frame is not whole: it is being written, or the tables have got ahead
    ///   and its words are wiped. Throws `absent` where they have got so far ahead that its segment is gone.
    mutating func advance() throws(StorageError) -> Bool {
        var (cursor, memory, progress) = (cursor, CardMemory(after: memory.through), progress)
        swap(&memory, &self.memory)
        defer { swap(&memory, &self.memory) }
        defer { (self.cursor, self.progress) = (cursor, progress) }
        let end = try LogWalk.advance(&cursor, in: folder, of: log, chunk: Self.chunk) {
            (frame, _) throws(StorageError) in
            do throws(ByteError) {
                for place in frame.places {
                    memory.take(try LogChange(decoding: frame.bytes[frame.change(at: place)]), at: place)
                }
                try LogNote.apply(frame, to: &progress)
            } catch {
                throw .damaged(path: folder, error)
            }
        }
        return end == .whole
    }
}
