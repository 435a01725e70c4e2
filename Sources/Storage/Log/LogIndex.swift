import Bytes
import Pool

/// An index of frames by the places of their entries. The names of files tell the segment of a place. Its
/// offset there is found by a scan of the segment, and remembered for segments that were asked for lately.
struct LogIndex {
    struct Found {
        var frame: LogFrame
        var segment: SegmentName
        /// The offset in the file.
        var offset: Int
    }

    private struct Contents {
        struct Frame {
            var first: Int64
            var offset: UInt32
            var length: UInt32
        }

        /// The inode of the segment, as another file may have taken its name.
        let inode: UInt64
        /// The frames that have entries.
        var frames: [Frame] = []
        /// The offset up to which the file was scanned; `next` is the place reached.
        var end = SegmentHeader.length
        var next: Int64 = -1
        var lastUse: UInt64 = 0

        mutating func take(_ frame: LogFrameHead) {
            if frame.count > 0 {
                frames.append(
                    Frame(first: frame.first.number, offset: UInt32(end), length: UInt32(frame.length)))
            }
            (end, next) = (end + frame.length, frame.next.number)
        }
    }

    let folder: String
    private(set) var names: [SegmentName] = []
    private var known: [UInt64: Contents] = [:]
    private var uses: UInt64 = 0

    /// The most frames whose offsets are remembered: 4 MiB.
    private static let limit = 1 << 18
    /// Bytes that are read at once where heads are sought: several frames of those that a quiet service writes.
    private static let chunkLength = 4096

    init(in folder: String) { self.folder = folder }

    /// The segments in a folder, in order.
    static func names(in folder: String) throws(StorageError) -> [SegmentName] {
        guard FileFacts.kind(of: folder) != nil else { return [] }
        return try FileFacts.names(in: folder).compactMap(SegmentName.init).sorted()
    }

    mutating func refresh() throws(StorageError) { names = try Self.names(in: folder) }

    mutating func add(_ name: SegmentName) { names.append(name) }

    mutating func remove(_ name: SegmentName) {
        names.removeAll { $0 == name }
        known[name.number] = nil
    }

    /// Forgets the frames of a segment, which are elsewhere in it by now.
    mutating func forget(_ name: SegmentName) { known[name.number] = nil }

    /// Notes a frame that has now been written.
    mutating func note(_ frame: LogFrame, in name: SegmentName, at offset: Int) {
        guard known[name.number]?.end == offset else { return }
        known[name.number]?.take(frame.head)
    }

    /// The frame with a place; nil where it is gone.
    mutating func find(_ place: LogPosition) throws(StorageError) -> Found? {
        guard let name = segment(of: place) else { return nil }
        do throws(StorageError) {
            return try find(place, in: name)
        } catch .absent {
            return nil
        }
    }

    /// Bodies of entries, read without the rest of their frames: empty where there is none, and
    /// left out where the frame is gone.
    mutating func bodies(at places: [LogPosition]) throws(StorageError) -> [LogPosition: [UInt8]] {
        var found: [LogPosition: [UInt8]] = [:]
        for (name, places) in Dictionary(grouping: places, by: segment(of:)) {
            guard let name else { continue }
            do throws(StorageError) {
                let file = try SegmentFile.open(folder + "/" + name.text)
                try readBodies(at: places.sorted()[...], in: name, file, into: &found)
            } catch .absent {
                continue
            }
        }
        return found
    }

    /// Reads the bodies of one frame after the other, as a page of a conversation that was imported is mostly in one.
    private mutating func readBodies(
        at places: ArraySlice<LogPosition>, in name: SegmentName, _ file: borrowing SegmentFile,
        into found: inout [LogPosition: [UInt8]]
    ) throws(StorageError) {
        guard let last = places.last else { return }
        let contents = try contents(of: name, with: last, file)
        var places = places
        while let place = places.first {
            guard let number = Self.frame(with: place, in: contents) else {
                places.removeFirst()
                continue
            }
            let next = number + 1 < contents.frames.count ? contents.frames[number + 1].first : nil
            let own = places.prefix { place in next.map { place.number < $0 } ?? true }
            places = places[own.endIndex...]
            try Self.readBodies(at: own, in: contents.frames[number], file, into: &found)
        }
    }

    private static func readBodies(
        at places: ArraySlice<LogPosition>, in frame: Contents.Frame, _ file: borrowing SegmentFile,
        into found: inout [LogPosition: [UInt8]]
    ) throws(StorageError) {
        // A card that is damaged may name any place behind the frame.
        let last = min(Int(places[places.endIndex - 1].number - frame.first), LogFrame.countLimit)
        let front = try file.bytes(
            upTo: min(Int(frame.length), LogFrameHead.length(through: last)), at: Int(frame.offset))
        let ranges = try Self.ranges(ofBodiesAt: places, from: frame.first, in: front, file.path)
        for (place, range) in zip(places, ranges) {
            found[place] = try file.bytes(upTo: range.count, at: Int(frame.offset) + range.lowerBound)
        }
    }

    /// The ranges of bodies in a frame; places behind its last entry have none.
    private static func ranges(
        ofBodiesAt places: ArraySlice<LogPosition>, from first: Int64, in front: [UInt8], _ path: String
    ) throws(StorageError) -> [Range<Int>] {
        do throws(ByteError) {
            var walk = try LogBodyWalk(front[...])
            guard walk.head.first.number == first else { return [] }
            var ranges: [Range<Int>] = []
            for place in places where Int(place.number - first) < walk.head.count {
                ranges.append(try walk.body(of: Int(place.number - first)))
            }
            return ranges
        } catch {
            throw .damaged(path: path, error)
        }
    }

    /// The last segment that begins before a place or there.
    func segment(of place: LogPosition) -> SegmentName? {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].first <= place { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? names[low - 1] : nil
    }

    private mutating func find(_ place: LogPosition, in name: SegmentName) throws(StorageError) -> Found? {
        let file = try SegmentFile.open(folder + "/" + name.text)
        let contents = try contents(of: name, with: place, file)
        guard let number = Self.frame(with: place, in: contents) else { return nil }
        let frame = contents.frames[number]
        let bytes = try file.bytes(upTo: Int(frame.length), at: Int(frame.offset))
        let found = try Self.parsed(bytes, file.path)
        return found.contains(place) ? Found(frame: found, segment: name, offset: Int(frame.offset)) : nil
    }

    /// The number of the last frame that begins before a place or there.
    private static func frame(with place: LogPosition, in contents: Contents) -> Int? {
        var (low, high) = (0, contents.frames.count)
        while low < high {
            let middle = (low + high) / 2
            if contents.frames[middle].first <= place.number { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// Frames of a segment that begin behind a place, up to another one, without those that cannot be read.
    /// - Returns: with them the damage of one of the latter; nil where there is none.
    mutating func frames(
        of name: SegmentName, after: LogPosition, through: LogPosition, atMost entries: Int
    ) throws(StorageError) -> (frames: [Found], damage: StorageError?) {
        let file = try SegmentFile.open(folder + "/" + name.text)
        let contents = try contents(of: name, with: through, file)
        var (found, count): ([Found], Int) = ([], 0)
        var damage: StorageError?
        for frame in contents.frames where frame.first > after.number && frame.first <= through.number {
            guard count < entries else { break }
            let bytes = try file.bytes(upTo: Int(frame.length), at: Int(frame.offset))
            do throws(StorageError) {
                let whole = try Self.parsed(bytes, file.path)
                found.append(Found(frame: whole, segment: name, offset: Int(frame.offset)))
                count += whole.count
            } catch {
                damage = error
            }
        }
        return (found, damage)
    }

    private static func parsed(_ bytes: [UInt8], _ path: String) throws(StorageError) -> LogFrame {
        do throws(ByteError) { return try LogFrame(bytes) } catch { throw .damaged(path: path, error) }
    }

    private mutating func contents(
        of name: SegmentName, with place: LogPosition, _ file: borrowing SegmentFile
    ) throws(StorageError) -> Contents {
        uses += 1
        let inode = file.facts?.inode ?? 0
        var contents = known[name.number] ?? Contents(inode: inode)
        if contents.inode != inode { contents = Contents(inode: inode) }
        contents.lastUse = uses
        // The coordinator may have written on.
        if contents.next <= place.number { try Self.scan(&contents, through: place, file) }
        known[name.number] = contents
        shrink(but: name)
        return contents
    }

    /// Scans from head to head up to the frame with a place; the bytes behind it may not all be written yet.
    private static func scan(
        _ contents: inout Contents, through place: LogPosition, _ file: borrowing SegmentFile
    ) throws(StorageError) {
        let size = Int(file.facts?.size ?? 0)
        var (chunk, start) = ([UInt8](), 0)
        while contents.next <= place.number {
            if chunk.count < contents.end - start + LogFrame.headLength {
                start = contents.end
                chunk = try file.bytes(upTo: min(chunkLength, max(0, size - start)), at: start)
            }
            guard let head = LogFrameHead.any(in: chunk[(contents.end - start)...]),
                head.first.number >= contents.next, contents.end + head.length <= size
            else { return }
            contents.take(head)
        }
    }

    private mutating func shrink(but name: SegmentName) {
        while known.values.reduce(0, { $0 + $1.frames.count }) > Self.limit, known.count > 1 {
            guard let oldest = known.filter({ $0.key != name.number }).min(by: { $0.value.lastUse < $1.value.lastUse })
            else { return }
            known[oldest.key] = nil
        }
    }
}
