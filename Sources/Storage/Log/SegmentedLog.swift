import Bytes
import Pool

/// The log of one host, as its coordinator writes it: segments of one size, each there with all its
/// room before it is needed.
///
/// ```text
/// log/00…01-00…00   header │ frame │ frame │ …           full
///     00…02-00…812  header │ frame │ frame │ zeros       the last: each new frame is one write and one sync
///     spare         zeros                                has room that nobody can take, and becomes the next one
/// ```
///
/// Each segment names the one before it, and the chain at its end. Content that nothing needs any more
/// goes with whole segments, or, where a small part of one is still needed, by rewriting that part.
struct SegmentedLog: ~Copyable {
    struct Settings {
        /// Bytes of a segment.
        var size: Int
        /// Whether an append is on the disk when it returns.
        var isDurable: Bool
        var disk: LogDisk?
        /// The version of the headers of segments that are begun.
        var version = UInt32(StoredFormat.segments.newest)
    }

    let folder: String
    /// A random number that all of its segments have.
    let id: UInt64
    private(set) var end: LogCursor
    private(set) var index: LogIndex
    var settings: Settings
    private var file: SegmentFile
    private var header: SegmentHeader
    private var room: Int
    /// Segments with bytes that may not be on the disk.
    private var unsynced: Set<SegmentName> = []
    /// Whether names were changed since the folder was synced.
    private var hasNewNames = false
    /// A segment that is to be looked through, as little may be left of it; `packing` is one that a
    /// chore is looking through.
    private var toPack: SegmentName?
    private(set) var packing: SegmentName?
    /// The segment that was looked through last, until `takePacked` asks for it.
    private var packed: SegmentName?
    /// Segments that were found damaged. They stay as they are, and none of them is looked through again.
    private var damaged: Set<SegmentName> = []
    /// The damage of these that was not asked for yet.
    private var untold: [StorageError] = []
    /// Whether the last append found no room, so that there has to be some before the next one.
    private var needsRoom = false
    /// The error of a sync, after which nobody knows what is on the disk.
    private var isLost: StorageError?

    private init(
        folder: String, id: UInt64, end: LogCursor, index: LogIndex, settings: Settings, file: consuming SegmentFile,
        header: SegmentHeader
    ) {
        (self.folder, self.id, self.end, self.index) = (folder, id, end, index)
        (self.settings, self.header) = (settings, header)
        room = Int(file.facts?.size ?? 0)
        self.file = file
    }

    /// Begins an empty log; segments that are in the folder, and drafts of them, are removed.
    static func begin(
        in data: DataFolder, id: UInt64, at first: LogPosition, _ settings: Settings
    ) throws(StorageError) -> SegmentedLog {
        let folder = data.file(SegmentName.folder)
        try DataFolder(folder).enclose()
        for name in try FileFacts.names(in: folder)
        where name == SegmentName.spare || SegmentName(name) != nil || SegmentLinks.isDraft(name) {
            try settings.disk.remove(folder + "/" + name)
        }
        let header = SegmentHeader(
            log: id, number: 1, first: first, chain: id, previous: nil, version: settings.version)
        let path = folder + "/" + SegmentName(number: 1, first: first).text
        do {
            let file = try SegmentFile.make(path, bytes: settings.size, settings.disk)
            try file.write(header.bytes, at: 0)
            try file.sync()
        }
        try FileFacts.sync(folder)
        try FileFacts.sync(data.path)
        return try open(in: data, id: id, from: LogCursor(header), settings)
    }

    /// Opens a log, and cuts off a write that a crash has left half done behind it.
    ///
    /// - Parameters:
    ///   - start: the place up to which it was read before.
    ///   - acknowledged: the place up to which entries were acknowledged, so that damage before it is no write that
    ///     a crash cut short.
    ///   - mayHaveLost: whether the machine went down and writes were not synced, so that the log may end anywhere.
    static func open(
        in data: DataFolder, id: UInt64, from start: LogCursor, acknowledged: LogPosition? = nil,
        mayHaveLost: Bool = false,
        _ settings: Settings, _ take: (LogFrame) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> SegmentedLog {
        let folder = data.file(SegmentName.folder)
        var links = try SegmentLinks(in: folder, of: id, mayHaveLost: mayHaveLost, settings.disk)
        try links.check(removes: true)
        guard links.names.contains(start.segment) else {
            throw .brokenLog(path: folder, "\(start.segment.text) is missing")
        }
        guard try LogWalk.isReached(start, in: folder, links.headers[start.segment]!) else {
            throw .brokenLog(
                path: folder,
                "\(start.segment.text) does not reach to where journal.db has it: it is of another time, or damaged")
        }
        var end = start
        let found = try LogWalk.advance(&end, in: folder, of: id) { (frame, _) throws(StorageError) in try take(frame) }
        if !mayHaveLost, try isDamage(found, at: end, in: folder, links, acknowledged) {
            throw .brokenLog(path: folder, found.reason)
        }
        try links.remove(behind: end.segment)
        let file = try SegmentFile.open(folder + "/" + end.segment.text, forWriting: true, settings.disk)
        if found != .whole { try file.cut(at: end.offset) }
        try file.reserve(max(settings.size, end.offset))
        var index = LogIndex(in: folder)
        try index.refresh()
        var header = links.headers[end.segment]!
        if header.end != nil {
            header.end = nil
            try file.write(header.bytes, at: 0)
        }
        var log = SegmentedLog(
            folder: folder, id: id, end: end, index: index, settings: settings, file: file, header: header)
        // A process that was killed may have written them and not synced them.
        log.putBack(Set(links.names.filter { $0 >= start.segment }))
        if settings.isDurable { try log.sync() }
        return log
    }

    /// Whether more was written behind the readable end than one frame that a crash cut short.
    private static func isDamage(
        _ found: LogWalk.End, at end: LogCursor, in folder: String, _ links: SegmentLinks, _ acknowledged: LogPosition?
    ) throws(StorageError) -> Bool {
        let isShort = end.next < acknowledged ?? LogPosition(0)
        if found == .whole {
            // A segment is begun where the one before it ends: the frames that led to the next one are zeros now.
            guard end.segment == links.names.last else { return true }
            // An older copy has nothing there at all.
            guard isShort else { return false }
            return try LogWalk.isAnything(behind: end, in: folder)
        }
        guard !isShort, try links.isEmpty(behind: end.segment) else { return true }
        return try LogWalk.isFollowed(end, in: folder)
    }
}

// Writing.
extension SegmentedLog {
    /// Writes a frame behind the last one. When it returns, the frame is in the file, and on the
    /// disk where the log is durable.
    mutating func append(_ draft: inout LogFrameDraft) throws(StorageError) -> LogFrame {
        if let isLost { throw isLost }
        precondition(draft.first == end.next, "a place was left out")
        if needsRoom { try prepare() }
        let bytes = draft.ended(after: end.chain)
        if end.offset + bytes.count > room { try roll(for: bytes.count) }
        try file.write(bytes, at: end.offset)
        if settings.isDurable { try sync(file: end.segment) } else { unsynced.insert(end.segment) }
        let frame: LogFrame
        do throws(ByteError) { frame = try LogFrame(bytes) } catch { throw .damaged(path: file.path, error) }
        index.note(frame, in: end.segment, at: end.offset)
        end.pass(frame)
        return frame
    }

    /// Syncs a segment. Where that fails, the kernel may have thrown away what it could not write,
    /// and says nothing of it when it is asked again.
    private mutating func sync(file name: SegmentName) throws(StorageError) {
        do throws(StorageError) {
            if name == end.segment {
                try file.sync()
            } else {
                try SegmentFile.open(folder + "/" + name.text, forWriting: true, settings.disk).sync()
            }
        } catch .absent {
            return
        } catch {
            isLost = error
            throw error
        }
    }

    /// Syncs all that was written.
    mutating func sync() throws(StorageError) {
        for name in unsynced { try sync(file: name) }
        if hasNewNames { try FileFacts.sync(folder) }
        unsynced = []
        hasNewNames = false
    }

    /// Takes the segments that another thread is to sync.
    mutating func takeUnsynced() -> Set<SegmentName> {
        hasNewNames = false
        defer { unsynced = [] }
        return unsynced
    }

    /// Puts back segments that were not synced.
    mutating func putBack(_ names: Set<SegmentName>) {
        hasNewNames = true
        unsynced.formUnion(names)
    }

    /// Skips places, in a log that is made of an older one in which entries are gone.
    mutating func skip(to place: LogPosition) { end.next = max(end.next, place) }

    private var spare: String { folder + "/" + SegmentName.spare }

    /// Makes the next segment ready, so that a turn need not wait for it; throws `full` where there is no room for it.
    mutating func prepare() throws(StorageError) {
        if FileFacts(spare)?.size != Int64(settings.size) {
            _ = try SegmentFile.make(spare, bytes: settings.size, settings.disk)
        }
        needsRoom = false
    }

    /// Goes on in a new segment. A frame that is longer than a segment gets one of its own length.
    private mutating func roll(for count: Int) throws(StorageError) {
        let needed = SegmentHeader.length + count
        let path: String
        needsRoom = true
        if needed <= settings.size {
            try prepare()
            path = spare
        } else {
            path = spare + ".long"
            _ = try SegmentFile.make(path, bytes: needed, settings.disk)
            needsRoom = false
        }
        let new = SegmentHeader(
            log: id, number: end.segment.number + 1, first: end.next, chain: end.chain, previous: end.segment.number,
            version: settings.version)
        let name = SegmentName(number: new.number, first: new.first)
        do {
            let next = try SegmentFile.open(path, forWriting: true, settings.disk)
            try next.write(new.bytes, at: 0)
            if settings.isDurable { try next.sync() }
        }
        try settings.disk.rename(path, to: folder + "/" + name.text)
        // Others may read on in it from now on: where this fails half-way, no frame goes into the full one any more,
        // however short it is, and the next turn begins the same segment again.
        room = end.offset
        if settings.isDurable { try FileFacts.sync(folder) } else { hasNewNames = true }
        let next = try SegmentFile.open(folder + "/" + name.text, forWriting: true, settings.disk)
        var full = header
        full.end = SegmentHeader.End(next: end.next, chain: end.chain)
        try file.write(full.bytes, at: 0)
        unsynced.insert(end.segment)
        (header, end, room) = (new, LogCursor(new), max(needed, settings.size))
        file = next
        index.add(name)
    }
}

// Wiping and dropping.
extension SegmentedLog {
    mutating func find(_ place: LogPosition) throws(StorageError) -> LogIndex.Found? { try index.find(place) }

    /// Frames that begin behind a place, up to another one, in the segment where the next one would
    /// be; none where it has no more. One that cannot be read is passed over, and its segment is damaged.
    mutating func frames(
        after: LogPosition, through: LogPosition, atMost entries: Int
    ) throws(StorageError) -> (segment: SegmentName, frames: [LogIndex.Found])? {
        guard let name = index.segment(of: LogPosition(after.number + 1)) ?? index.names.first else { return nil }
        let (frames, damage) = try index.frames(of: name, after: after, through: through, atMost: entries)
        if let damage { noteDamage(in: name, damage) }
        return (name, frames)
    }

    /// Notes that an entry cannot be read.
    mutating func noteDamage(at place: LogPosition, _ damage: StorageError) {
        if let name = index.segment(of: place) { noteDamage(in: name, damage) }
    }

    private mutating func noteDamage(in name: SegmentName, _ damage: StorageError) {
        if toPack == name { toPack = nil }
        if damaged.insert(name).inserted { untold.append(damage) }
    }

    /// Takes the damage that was found since this was last asked, once for each segment.
    mutating func takeDamage() -> [StorageError] {
        defer { untold = [] }
        return untold
    }

    /// Overwrites bytes of a frame in place.
    mutating func overwrite(_ range: Range<Int>, of found: LogIndex.Found, with bytes: [UInt8]) throws(StorageError) {
        precondition(found.segment != packing)
        let place = found.offset + range.lowerBound
        if found.segment == end.segment {
            try file.write(bytes, at: place)
        } else {
            try SegmentFile.open(folder + "/" + found.segment.text, forWriting: true, settings.disk).write(
                bytes, at: place)
        }
        unsynced.insert(found.segment)
    }

    /// The segment behind another one; nil for the last.
    func segment(behind name: SegmentName) -> SegmentName? { index.names.first { $0 > name } }

    /// Removes a segment that is not the last.
    mutating func drop(_ name: SegmentName) throws(StorageError) {
        guard let next = segment(behind: name) else { return }
        let gone = try SegmentLinks.header(of: name, in: folder)
        var linked = try SegmentLinks.header(of: next, in: folder)
        linked.previous = gone.previous
        linked.followsGap = true
        // The next one must not name it any more when it is gone.
        if next == end.segment {
            try file.write(linked.bytes, at: 0)
            header = linked
        } else {
            try SegmentFile.open(folder + "/" + next.text, forWriting: true, settings.disk).write(linked.bytes, at: 0)
        }
        try sync(file: next)
        try settings.disk.remove(folder + "/" + name.text)
        index.remove(name)
        if toPack == name { toPack = nil }
        unsynced.remove(name)
        hasNewNames = true
    }

    /// The first segment without entries, but for damaged ones: nothing but the progress of shards was noted in it.
    var firstWithoutEntries: SegmentName? {
        let damaged = damaged
        return zip(index.names, index.names.dropFirst()).first { $0.first == $1.first && !damaged.contains($0) }?.0
    }

    var isPackingDue: Bool { toPack != nil }

    /// Whether a segment was looked through since this was last asked of it: no more of it can be
    /// given back, however much of it is not words.
    mutating func takePacked(_ name: SegmentName) -> Bool {
        guard !damaged.contains(name) else { return true }
        guard packed == name else { return false }
        packed = nil
        return true
    }

    /// Plans that the next chore looks through a segment that is not the last, and packs it where little is left.
    mutating func plan(toPack name: SegmentName) { if toPack == nil { toPack = name } }

    /// Begins to pack the planned segment; until `endPacking` nothing is written into it.
    mutating func beginPacking() throws(StorageError) -> SegmentPack? {
        guard let name = toPack, let next = segment(behind: name) else { return nil }
        var source = try SegmentLinks.header(of: name, in: folder)
        let linked = try SegmentLinks.header(of: next, in: folder)
        let end = source.end ?? SegmentHeader.End(next: linked.first, chain: linked.chain)
        // Behind a gap the next one begins where a segment ended that is gone.
        if !linked.followsGap { source.end = end }
        var header = source
        (header.end, header.isPacked) = (end, true)
        packing = name
        return SegmentPack(name: name, folder: folder, source: source, header: header, disk: settings.disk)
    }

    /// Replaces the segment with the packed one, or removes it where nothing is left of it. A damaged one stays.
    /// - Parameter outcome: nil where it could not be looked through, and stays planned.
    mutating func endPacking(_ outcome: SegmentPack.Outcome?) throws(StorageError) {
        guard let name = packing.take(), let outcome else { return }
        toPack = nil
        if case .damaged(let damage) = outcome { return noteDamage(in: name, damage) }
        guard outcome != .empty else { return try drop(name) }
        if outcome == .packed {
            let path = folder + "/" + name.text
            try settings.disk.rename(path + SegmentPack.suffix, to: path)
            index.forget(name)
            unsynced.remove(name)
            hasNewNames = true
        }
        packed = name
    }
}
