import Bytes
import Pool

/// A place behind a frame of the log: the next frame begins there, if there is one.
struct LogCursor: Equatable {
    var segment: SegmentName
    var offset: Int
    var chain: UInt64
    var next: LogPosition

    /// The cursor before the first frame of a segment.
    init(_ header: SegmentHeader) {
        segment = SegmentName(number: header.number, first: header.first)
        (offset, chain, next) = (SegmentHeader.length, header.chain, header.first)
    }

    init(segment: SegmentName, offset: Int, chain: UInt64, next: LogPosition) {
        (self.segment, self.offset, self.chain, self.next) = (segment, offset, chain, next)
    }

    mutating func pass(_ frame: LogFrame) {
        offset += frame.bytes.count
        (chain, next) = (frame.chain, frame.next)
    }
}

/// A reader of the frames of one segment, one behind another.
struct FrameReader: ~Copyable {
    enum Step {
        case frame(LogFrame)
        /// Nothing was written there.
        case end
        /// Something was written there, and it is no frame.
        case broken(ByteError)
    }

    let file: SegmentFile
    private(set) var offset: Int
    private let size: Int
    private let chunkLength: Int
    private var chunk: [UInt8] = []
    private var chunkStart = 0

    /// - Parameters:
    ///   - end: the end of the segment, in a file that has more than it.
    ///   - chunk: bytes that are read at once.
    init(
        _ file: consuming SegmentFile, from offset: Int = SegmentHeader.length, to end: Int? = nil,
        chunk: Int = 256 << 10
    ) {
        size = end ?? Int(file.facts?.size ?? 0)
        self.file = file
        (self.offset, chunkLength) = (offset, chunk)
    }

    mutating func next() throws(StorageError) -> Step {
        guard try load(LogFrame.headLength) >= 4 else { return .end }
        let place = offset - chunkStart
        let length = Int(LittleEndian.word(chunk[...], at: place))
        guard length > 0 else { return .end }
        do throws(ByteError) {
            guard length >= LogFrame.headLength, offset + length <= size else {
                throw .truncated(needed: length, left: size - offset)
            }
            _ = try LogFrameHead(chunk[place...])
        } catch {
            return .broken(error)
        }
        guard try load(length) >= length else { return .end }
        let start = offset - chunkStart
        do throws(ByteError) {
            let frame = try LogFrame(Array(chunk[start..<start + length]))
            offset += length
            return .frame(frame)
        } catch {
            return .broken(error)
        }
    }

    /// Loads at least `count` bytes from the offset on, if there are as many. Returns how many there are.
    private mutating func load(_ count: Int) throws(StorageError) -> Int {
        let there = chunkStart + chunk.count - offset
        guard there < count || offset < chunkStart else { return there }
        chunk = try file.bytes(upTo: min(max(count, chunkLength), max(0, size - offset)), at: offset)
        chunkStart = offset
        return chunk.count
    }
}

/// A walk through the log from segment to segment, behind the entries that the tables have. A frame counts only
/// if it follows the one before it. No words are wiped there: a frame that is not as it was written is not whole.
enum LogWalk {
    enum End: Equatable {
        /// Nothing was written behind the last frame.
        case whole
        /// The bytes there are no frame that follows.
        case broken(String)

        var reason: String {
            switch self {
            case .whole: "entries that were acknowledged are not there, and something else is"
            case .broken(let reason): reason
            }
        }
    }

    /// Goes on to the end of the log, or to where it is broken; the cursor then stands behind the
    /// last frame that is whole.
    ///
    /// - Parameter take: called with each frame and its place.
    static func advance(
        _ cursor: inout LogCursor, in folder: String, of log: UInt64, chunk: Int = 256 << 10,
        _ take: (LogFrame, LogCursor) throws(StorageError) -> Void
    ) throws(StorageError) -> End {
        while true {
            let end = try walk(&cursor, in: folder, chunk, take)
            guard end == .whole else { return end }
            let next = SegmentName(number: cursor.segment.number + 1, first: cursor.next)
            guard FileFacts(folder + "/" + next.text) != nil else { return .whole }
            let header: SegmentHeader
            do throws(ByteError) { header = try SegmentHeader(try Self.front(of: folder + "/" + next.text)) } catch {
                return .broken("the header of \(next.text) cannot be read: \(error)")
            }
            guard header.log == log, header.chain == cursor.chain, header.first == cursor.next else {
                return .broken("\(next.text) is of another log, or of another time of this one")
            }
            cursor = LogCursor(header)
        }
    }

    private static func front(of path: String) throws(ByteError) -> [UInt8] {
        do throws(StorageError) {
            return try SegmentFile.open(path).bytes(upTo: SegmentHeader.length, at: 0)
        } catch {
            throw .truncated(needed: SegmentHeader.length, left: 0)
        }
    }

    private static func walk(
        _ cursor: inout LogCursor, in folder: String, _ chunk: Int,
        _ take: (LogFrame, LogCursor) throws(StorageError) -> Void
    ) throws(StorageError) -> End {
        var reader = FrameReader(
            try SegmentFile.open(folder + "/" + cursor.segment.text), from: cursor.offset, chunk: chunk)
        while true {
            switch try reader.next() {
            case .end: return .whole
            case .broken(let error): return .broken("byte \(cursor.offset) of \(cursor.segment.text): \(error)")
            case .frame(let frame):
                guard frame.follows(cursor.chain), frame.first == cursor.next else {
                    return .broken("byte \(cursor.offset) of \(cursor.segment.text): what stands there does not follow")
                }
                guard frame.isAsWritten else {
                    return .broken("byte \(cursor.offset) of \(cursor.segment.text): a checksum is wrong")
                }
                try take(frame, cursor)
                cursor.pass(frame)
            }
        }
    }

    /// Whether the frames of a segment lead to a place in it.
    static func isReached(_ place: LogCursor, in folder: String, _ header: SegmentHeader) throws(StorageError) -> Bool {
        var reader = FrameReader(try SegmentFile.open(folder + "/" + place.segment.text))
        var chain = header.chain
        while reader.offset < place.offset {
            guard case .frame(let frame) = try reader.next(), frame.follows(chain) else { return false }
            chain = frame.chain
        }
        return reader.offset == place.offset && chain == place.chain
    }

    /// Whether any byte stands behind a place in its segment.
    static func isAnything(behind cursor: LogCursor, in folder: String) throws(StorageError) -> Bool {
        let file = try SegmentFile.open(folder + "/" + cursor.segment.text)
        var offset = cursor.offset
        while true {
            let bytes = try file.bytes(upTo: 1 << 20, at: offset)
            if bytes.isEmpty { return false }
            if bytes.contains(where: { $0 != 0 }) { return true }
            offset += bytes.count
        }
    }

    /// Whether another frame that was written later follows a broken one: then no crash has cut the
    /// write of the broken one short.
    static func isFollowed(_ cursor: LogCursor, in folder: String) throws(StorageError) -> Bool {
        let file = try SegmentFile.open(folder + "/" + cursor.segment.text)
        let bytes = try file.bytes(upTo: LogFrame.headLength, at: cursor.offset)
        guard let head = head(bytes) else { return false }
        var reader = FrameReader(file, from: cursor.offset + head.length)
        if case .frame(let frame) = try reader.next() { return frame.follows(head.chain) }
        return false
    }

    private static func head(_ bytes: [UInt8]) -> LogFrameHead? {
        do throws(ByteError) { return try LogFrameHead(bytes[...]) } catch { return nil }
    }
}
