/// The packing of a segment: it is looked through, and rewritten with what is left of it, if that
/// is little. Any thread that has the time does it, as it waits for the disk.
///
/// Afterwards the writer of the log gives the new file the name of the other one (`SegmentedLog.endPacking`).
/// Until then nothing is written into either, so that no word comes back that was overwritten meanwhile.
struct SegmentPack: Sendable {
    enum Outcome: Equatable, Sendable {
        /// Nothing is left of it.
        case empty
        case packed
        /// So much is left of it that packing is not worth it.
        case full
        /// It cannot be read to its end, and stays as it is: the part behind the damage may be mended or copied.
        case damaged(StorageError)
    }

    static let suffix = ".new"

    let name: SegmentName
    let folder: String
    /// The header of the segment as it is, with its end where that is known.
    let source: SegmentHeader
    /// The header of the new file.
    let header: SegmentHeader
    let disk: LogDisk?

    func write() throws(StorageError) -> Outcome {
        let path = folder + "/" + name.text
        var bytes = header.bytes
        var reader = FrameReader(try SegmentFile.open(path))
        var (needed, cursor) = (0, LogCursor(source))
        while case .frame(let frame) = try reader.next(), frame.follows(source.isPacked ? 0 : cursor.chain) {
            cursor.pass(frame)
            for place in frame.places where !frame.body(at: place).isEmpty {
                needed += frame.body(at: place).count + frame.change(at: place).count
            }
            guard frame.keptBytes > 0 else { continue }
            bytes += frame.keeping { !frame.body(at: $0).isEmpty }
        }
        guard try isEnd(cursor) else {
            return .damaged(.brokenLog(path: folder, "\(name.text) is damaged at byte \(cursor.offset)"))
        }
        guard needed > 0 else { return .empty }
        guard needed < cursor.offset / 2 else { return .full }
        let packed = try SegmentFile.make(path + Self.suffix, bytes: bytes.count, disk)
        try packed.write(bytes, at: 0)
        try packed.sync()
        return .packed
    }

    /// Whether the segment ends there. The chain says so, except in a packed segment, behind whose end nothing stands.
    private func isEnd(_ cursor: LogCursor) throws(StorageError) -> Bool {
        if !source.isPacked, let end = source.end { return cursor.chain == end.chain }
        return try !LogWalk.isAnything(behind: cursor, in: folder)
    }
}
