/// A segment that is written anew with what is left of it, by whichever thread has the time: it waits for the disk.
///
/// The new file gets the name of the other one afterwards (`SegmentedLog.endPacking`), from whoever writes the log. Until then nothing is
/// written into either, so that no word comes back that was written over meanwhile.
struct SegmentPack: Sendable {
    static let suffix = ".new"

    let name: SegmentName
    let folder: String
    /// Of the new file.
    let header: SegmentHeader
    let disk: LogDisk?

    func write() throws(StorageError) {
        let path = folder + "/" + name.text
        var bytes = header.bytes
        var reader = FrameReader(try SegmentFile.open(path))
        while case .frame(let frame) = try reader.next() {
            guard frame.keptBytes > 0 else { continue }
            bytes += frame.keeping { !frame.body(at: $0).isEmpty }
        }
        let packed = try SegmentFile.make(path + Self.suffix, bytes: bytes.count, disk)
        try packed.write(bytes, at: 0)
        try packed.sync()
    }
}
