import Glibc
import Pool

/// A copy of the segments of a log, made while a coordinator goes on writing: each up to its last whole frame.
struct LogCopy {
    /// The folder of the copies.
    let folder: String
    private let source: String
    private let log: UInt64
    private var copied: [SegmentName: SegmentHeader] = [:]

    /// - Parameter target: a folder that is made anew.
    init(of folder: DataFolder, log: UInt64, to target: String) throws(StorageError) {
        (self.folder, self.log) = (target, log)
        source = folder.file(SegmentName.folder)
        try FileFacts.removeTree(target)
        try DataFolder(target).enclose()
    }

    var names: [SegmentName] { copied.keys.sorted() }

    /// Copies the entries that the tables do not have yet, at the moment at which the tables are
    /// read, before a merge can drop these entries from the log.
    /// - Parameter acknowledged: the place up to which all entries must be in the copy.
    /// - Returns: whether all of it was still there.
    mutating func copyEnd(from place: LogPlace, acknowledged: LogPosition) throws(StorageError) -> Bool {
        do throws(StorageError) {
            var links = try SegmentLinks(in: source, of: log)
            try links.check()
        } catch .brokenLog {
            return false
        }
        for name in try LogIndex.names(in: source) where name >= place.cursor.segment {
            guard try copy(name) else { return false }
        }
        guard copied[place.cursor.segment] != nil else { return false }
        var cursor = place.cursor
        let end = try LogWalk.advance(&cursor, in: folder, of: log) { _, _ in }
        return end == .whole && cursor.next >= acknowledged
    }

    /// Copies the segments before these, as far as they are still there.
    mutating func copyRest() throws(StorageError) {
        let known = names.first
        for name in try LogIndex.names(in: source) where known.map({ name < $0 }) ?? false { _ = try copy(name) }
        try link()
    }

    /// Copies a segment. Words may be wiped in it at this moment, so a segment that is not whole is copied again.
    private mutating func copy(_ name: SegmentName) throws(StorageError) -> Bool {
        for _ in 0..<2 {
            do throws(StorageError) { return try copyOnce(name) } catch .brokenLog {}
        }
        return try copyOnce(name)
    }

    private mutating func copyOnce(_ name: SegmentName) throws(StorageError) -> Bool {
        do throws(StorageError) {
            var header = try SegmentLinks.header(of: name, in: source)
            guard header.log == log else { throw .brokenLog(path: source, "\(name.text) is of another log") }
            var reader = FrameReader(try SegmentFile.open(source + "/" + name.text))
            try FileFacts.remove(folder + "/" + name.text)
            let target = try PlainFile.create(folder + "/" + name.text)
            let end = header.end
            header.end = nil
            try target.append(header.bytes)
            var (chain, isAtEnd) = (header.chain, false)
            copying: while true {
                switch try reader.next() {
                case .frame(let frame) where frame.follows(header.isPacked ? 0 : chain) && frame.areContentsWhole:
                    try target.append(frame.bytes)
                    chain = frame.chain
                case .end:
                    isAtEnd = true
                    break copying
                case .frame, .broken: break copying
                }
            }
            // Only the last segment may end anywhere, as it is being written.
            if let end, header.isPacked ? !isAtEnd : chain != end.chain {
                throw .brokenLog(path: source, "\(name.text) is damaged at byte \(reader.offset)")
            }
            copied[name] = header
            return true
        } catch .absent {
            return false
        }
    }

    /// Links each copied segment to the one before it: a segment that was dropped meanwhile is
    /// still named by its successor.
    private mutating func link() throws(StorageError) {
        var before: UInt64?
        for name in names {
            guard var header = copied[name] else { continue }
            if header.previous != before {
                (header.previous, header.followsGap) = (before, true)
                try SegmentFile.open(folder + "/" + name.text, forWriting: true).write(header.bytes, at: 0)
            }
            before = name.number
        }
    }
}
