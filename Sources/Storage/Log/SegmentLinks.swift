import Bytes
import Pool

/// A check that the segments of a folder are all of one log, and none is missing: each names the one before it.
struct SegmentLinks {
    private(set) var names: [SegmentName]
    private(set) var headers: [SegmentName: SegmentHeader] = [:]
    private let folder: String
    private let id: UInt64
    private let disk: LogDisk?
    private let mayHaveLost: Bool
    /// Whether the header of the last segment cannot be read.
    private var isLastBare = false

    /// - Parameter mayHaveLost: whether the power may have failed before segments had their headers.
    init(in folder: String, of id: UInt64, mayHaveLost: Bool = false, _ disk: LogDisk? = nil) throws(StorageError) {
        (self.folder, self.id, self.disk, self.mayHaveLost) = (folder, id, disk, mayHaveLost)
        names = try LogIndex.names(in: folder)
        guard !names.isEmpty else { throw .brokenLog(path: folder, "it has no segments") }
        for name in names {
            do throws(StorageError) { headers[name] = try Self.header(of: name, in: folder) } catch .absent {
                // The coordinator has removed it meanwhile.
                continue
            } catch {
                guard case .brokenLog = error, name == names.last || mayHaveLost else { throw error }
                names.removeAll { $0 > name }
                isLastBare = true
                break
            }
        }
        let last = names.last
        names.removeAll { headers[$0] == nil && !(isLastBare && $0 == last) }
    }

    static func header(of name: SegmentName, in folder: String) throws(StorageError) -> SegmentHeader {
        let bytes = try SegmentFile.open(folder + "/" + name.text).bytes(upTo: SegmentHeader.length, at: 0)
        do throws(ByteError) {
            let header = try SegmentHeader(bytes)
            guard header.number == name.number, header.first == name.first else {
                throw .outOfRange(Int64(bitPattern: header.number), of: "number of a segment")
            }
            return header
        } catch {
            throw .brokenLog(path: folder, "the header of \(name.text) cannot be read: \(error)")
        }
    }

    /// Refuses a log that is not whole, and forgets segments that a crash in the midst of a removal has left.
    ///
    /// - Parameter removes: whether nobody else writes here, so that those segments may be removed.
    mutating func check(removes: Bool = false) throws(StorageError) {
        if isLastBare, names.count > 1 { names.removeLast() }
        if let last = names.last, headers[last]?.end != nil, !mayHaveLost {
            throw .brokenLog(path: folder, "segment \(last.number + 1) is missing")
        }
        for name in names {
            guard let header = headers[name] else { throw .brokenLog(path: folder, "\(name.text) has no header") }
            guard header.log == id else { throw .brokenLog(path: folder, "\(name.text) is of another log") }
        }
        var place = names.count - 1
        while place >= 0 {
            let header = headers[names[place]]!
            let before = place > 0 ? names[place - 1] : nil
            // A segment that is not named any more was to be removed.
            if let before, before.number > header.previous ?? 0 {
                names.remove(at: place - 1)
                headers[before] = nil
                if removes { try disk.remove(folder + "/" + before.text) }
                place -= 1
                continue
            }
            guard before?.number == header.previous else {
                throw .brokenLog(path: folder, "segment \(header.previous ?? 0) is missing")
            }
            try check(header, behind: before.flatMap { headers[$0]?.end })
            place -= 1
        }
    }

    private func check(_ header: SegmentHeader, behind end: SegmentHeader.End?) throws(StorageError) {
        guard let end, !header.followsGap else { return }
        guard end.chain == header.chain, end.next == header.first else {
            throw .brokenLog(
                path: folder,
                "segment \(header.number) does not follow the one before it: one of them is of another time, or of another folder"
            )
        }
    }

    /// Whether behind a segment there is at most one other, which has no frame.
    func isEmpty(behind name: SegmentName) throws(StorageError) -> Bool {
        let behind = names.filter { $0 > name }
        guard behind.count == 1 else { return behind.isEmpty }
        var reader = FrameReader(try SegmentFile.open(folder + "/" + behind[0].text))
        if case .end = try reader.next() { return true }
        return false
    }

    /// Whether a file is a draft, which a crash has left.
    static func isDraft(_ text: String) -> Bool { text.hasSuffix(SegmentPack.suffix) || text.hasSuffix(".long") }

    /// Removes the segments behind the end of the log, the last one first, and drafts.
    mutating func remove(behind name: SegmentName) throws(StorageError) {
        let all = try FileFacts.names(in: folder)
        for text in all.reversed() {
            if SegmentName(text).map({ $0 > name }) ?? Self.isDraft(text) { try disk.remove(folder + "/" + text) }
        }
        names.removeAll { $0 > name }
    }
}
