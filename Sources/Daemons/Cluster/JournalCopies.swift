import Foundation
import Names
import Operations
import Pool
import Replication
import Storage
import Synchronization
import Transport

private let log = Log("cluster")

/// Copies of journals on their way between hosts, in pieces that are asked for one after the other: a host that
/// cannot go on by reading replaces its journal by a copy of another host's.
///
/// ```text
///  lost host                                other host
///     │ ── copy NUMBER, from byte 0 ──────────▶ │  a backup of its folder, on a thread beside
///     │ ◀──────────── piece NUMBER, 0 of 0 ──── │  it is being made
///     │ ◀───────── piece NUMBER, 0 of SIZE ──── │
///     │ ── copy NUMBER, from byte 1048576 ────▶ │   …
///  it is whole, and accepted: the coordinator ends, and its next start puts it in the place of the folder's files
/// ```
struct JournalCopies: ~Copyable {
    /// A backup for one host, which is being made, or is there.
    private final class Outgoing: Sendable {
        enum State: Sendable {
            case making
            case ready(size: Int64)
            case failed
        }

        let number: UInt64
        let path: String
        let state = Mutex(State.making)
        let lastUse = Mutex(Moment.start)

        init(_ number: UInt64, _ path: String) { (self.number, self.path) = (number, path) }
    }

    /// A copy on its way to this host.
    private struct Incoming {
        var host: HostID
        var number = UInt64.random(in: 1 ... .max)
        var offset: Int64 = 0
        /// The time at which it was asked for.
        var since: Moment
        var nextAsk: Moment
        /// The time at which the other host was last heard to make it or to send it.
        var heard: Moment
    }

    private let folder: DataFolder
    private var outgoing: [HostID: Outgoing] = [:]
    private var incoming: Incoming?
    /// The time at which a copy was asked for that is whole, and neither accepted nor dropped; nil where there is none.
    private(set) var ready: Moment?

    /// The bytes of a piece.
    static let piece = 1 << 20
    /// The time after which a piece that did not come is asked for again.
    private static let patience = Duration.seconds(1)
    /// The silence after which a copy does not come any more.
    private static let silence = Duration.seconds(20)
    /// The time for which a backup is kept that is not asked for.
    private static let keeping = Duration.seconds(60)

    /// Removes what a process before this one has left, either way: deleted words would stay in it.
    init(in folder: DataFolder) throws {
        self.folder = folder
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(Self.prefix) || name == Self.draft {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
    }

    private static let prefix = "copy-for-"
    private static let draft = "incoming.draft"
    /// The name of a copy that was accepted.
    static let whole = "incoming.backup"

    /// Puts an accepted copy in the place of the folder's files; true where there was one. To be called before any file
    /// of the folder is opened.
    static func takeOver(in folder: DataFolder) throws -> Bool {
        let path = folder.file(whole)
        guard FileManager.default.fileExists(atPath: path) else { return false }
        defer { try? FileManager.default.removeItem(atPath: path) }
        do throws(StorageError) {
            // Every byte is compared with its checksum before anything is replaced.
            let contents = try StorageRestore.restore(path, to: folder)
            log.info("goes on with a copy of another host", ["entries": .number(Int(contents.entries))])
            return true
        } catch {
            log.error(
                "a copy of another host cannot be taken over; another one is asked for",
                ["reason": "\(LaneShards.sentence(error))"])
            return false
        }
    }

    /// Begins a copy of a host's journal. One that still comes goes on, whichever host is named: a large one takes
    /// longer than a replica waits before it asks again, and another host may know more by then. None begins while one
    /// is ready.
    mutating func fetch(from host: HostID, at now: Moment) {
        guard ready == nil else { return }
        if let incoming, now - Self.silence <= incoming.heard { return }
        log.info("copies the journal of another host", ["host": "\(host)"])
        try? FileManager.default.removeItem(atPath: folder.file(Self.draft))
        incoming = Incoming(host: host, since: now, nextAsk: now, heard: now)
    }

    /// The question that is due, and the host that is to hear it.
    mutating func takeQuestion(at now: Moment) -> (LinkWord.Body, HostID)? {
        guard let asked = incoming, now >= asked.nextAsk else { return nil }
        incoming?.nextAsk = now + Self.patience
        return (.copy(number: asked.number, offset: UInt64(asked.offset)), asked.host)
    }

    /// Takes a piece.
    /// - Returns: true where the copy is whole. It is ready then.
    mutating func take(_ number: UInt64, _ offset: UInt64, of size: UInt64, _ bytes: [UInt8], at now: Moment) throws
        -> Bool
    {
        guard let asked = incoming, asked.number == number, Int64(clamping: offset) == asked.offset else {
            return false
        }
        incoming?.heard = now
        guard !bytes.isEmpty else { return false }
        try append(bytes)
        incoming?.offset += Int64(bytes.count)
        incoming?.nextAsk = now
        guard asked.offset + Int64(bytes.count) >= Int64(clamping: size) else { return false }
        try syncDraft()
        (incoming, ready) = (nil, asked.since)
        return true
    }

    private func append(_ bytes: [UInt8]) throws {
        let path = folder.file(Self.draft)
        if !FileManager.default.fileExists(atPath: path),
            !FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        {
            throw StorageError.notAccessible(path: path, code: errno)
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: bytes)
    }

    private func syncDraft() throws {
        let file = try FileHandle(forWritingTo: URL(filePath: folder.file(Self.draft)))
        try file.synchronize()
        try file.close()
    }

    /// Has the next start take over the copy that is ready.
    mutating func accept() throws {
        try FileManager.default.moveItem(atPath: folder.file(Self.draft), toPath: folder.file(Self.whole))
        ready = nil
    }

    /// Drops the copy that is ready: another one is to be asked for.
    mutating func drop() throws {
        try FileManager.default.removeItem(atPath: folder.file(Self.draft))
        ready = nil
    }

    /// The answer to a host that asks for a piece: without bytes while the copy is being made, and nil where it will
    /// not come.
    /// - Parameter isSound: whether a copy of this journal, if none is there yet, is one to go on with.
    mutating func piece(
        _ number: UInt64, from offset: UInt64, for host: HostID, isSound: Bool, at now: Moment
    ) throws -> LinkWord.Body? {
        if let other = outgoing[host], other.number != number, case .making = other.state.withLock({ $0 }) {
            // One copy at a time: a host that asks for another again and again waits for the first.
            return nil
        }
        if outgoing[host]?.number != number {
            // The rest of a copy that is not there any more would not fit behind its beginning.
            guard offset == 0, isSound else { return nil }
            make(number, for: host)
        }
        guard let copy = outgoing[host] else { return nil }
        copy.lastUse.withLock { $0 = now }
        switch copy.state.withLock({ $0 }) {
        case .making: return .piece(number: number, offset: offset, size: 0, bytes: [])
        // It is asked for under another number, of this host or another.
        case .failed: return nil
        case .ready(let size):
            guard offset < size else { return nil }
            let file = try FileHandle(forReadingFrom: URL(filePath: copy.path))
            defer { try? file.close() }
            try file.seek(toOffset: offset)
            let bytes = Array(try file.read(upToCount: Self.piece) ?? Data())
            return .piece(number: number, offset: offset, size: UInt64(size), bytes: bytes)
        }
    }

    private mutating func make(_ number: UInt64, for host: HostID) {
        if let old = outgoing[host] { try? FileManager.default.removeItem(atPath: old.path) }
        let copy = Outgoing(number, folder.file("\(Self.prefix)\(host.text)-\(number)"))
        outgoing[host] = copy
        log.info("copies its journal for another host", ["host": "\(host)"])
        Thread.detachNewThread { [folder] in
            do {
                let made = try StorageBackup.make(of: folder, into: copy.path)
                copy.state.withLock { $0 = .ready(size: made.bytes) }
            } catch {
                log.error("cannot copy the journal for another host", ["host": "\(host)", "reason": "\(error)"])
                copy.state.withLock { $0 = .failed }
            }
        }
    }

    /// Removes backups that are not asked for any more.
    mutating func tidy(at now: Moment) {
        for (host, copy) in outgoing where now - Self.keeping > copy.lastUse.withLock({ $0 }) {
            if case .making = copy.state.withLock({ $0 }) { continue }
            try? FileManager.default.removeItem(atPath: copy.path)
            outgoing[host] = nil
        }
    }
}
