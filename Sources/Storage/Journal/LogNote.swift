import Bytes
import Names
import Pool
import Wire

/// The note of a turn about the pool, beside its entries: the progress of shards in which something
/// ended, and the editions that are gone.
///
/// | bytes | |
/// |---|---|
/// | 1 | version: 1 |
/// | number | shards; of each: |
/// | block, number, block | edition, shard, state (`ShardProgress`) |
/// | number, blocks | editions that are gone |
enum LogNote {
    private static let version: UInt8 = 1

    /// Writes the note, or nothing for a record that has nothing of it.
    static func write(_ record: PoolRecord, to writer: inout [UInt8]) {
        guard !record.progress.isEmpty || !record.retired.isEmpty else { return }
        writer.append(version)
        writer.number(record.progress.count)
        for one in record.progress {
            writer.block(one.edition.text.utf8)
            writer.number(one.shard.number)
            writer.block(one.encoded())
        }
        writer.number(record.retired.count)
        for edition in record.retired { writer.block(edition.text.utf8) }
    }

    /// Applies the note of a frame to the progress.
    static func apply(
        _ frame: LogFrame, to progress: inout [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(ByteError) {
        guard !frame.note.isEmpty else { return }
        note(try record(frame.bytes[frame.note]), in: &progress)
    }

    /// Notes a record in the progress. An edition that goes may be wanted again before that is recorded: what is said
    /// of it is of the one that came.
    static func note(_ record: PoolRecord, in progress: inout [SQLiteJournal.ProgressPlace: ShardProgress]) {
        for edition in record.retired { progress = progress.filter { $0.key.edition != edition } }
        for one in record.progress {
            progress[SQLiteJournal.ProgressPlace(edition: one.edition, shard: one.shard)] = one
        }
    }

    static func record(_ bytes: ArraySlice<UInt8>) throws(ByteError) -> PoolRecord {
        var record = PoolRecord()
        var reader = PackedReader(bytes)
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownVersion(version) }
        for _ in 0..<min(try reader.number(), 1 << 16) {
            let edition = try edition(from: &reader)
            let shard = Shard(UInt16(truncatingIfNeeded: try reader.number()))
            let state = try reader.block(atMost: 1 << 24, of: "progress")
            record.progress.append(
                try ShardProgress(SQLiteJournal.ProgressPlace(edition: edition, shard: shard), decoding: Array(state)))
        }
        for _ in 0..<min(try reader.number(), 1 << 16) { record.retired.append(try edition(from: &reader)) }
        return record
    }

    private static func edition(from reader: inout PackedReader) throws(ByteError) -> EditionID {
        try EditionID(String(decoding: try reader.block(atMost: 256, of: "edition"), as: UTF8.self))
    }
}
