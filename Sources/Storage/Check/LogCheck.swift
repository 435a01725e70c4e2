import Bytes
import Pool

/// A check of every byte of the log, segment by segment.
enum LogCheck {
    /// - Parameter take: called with each fault.
    static func run(in folder: DataFolder, of log: UInt64, _ take: (String) -> Void) throws(StorageError) {
        let path = folder.file(SegmentName.folder)
        let links = try SegmentLinks(in: path, of: log)
        for (place, name) in links.names.enumerated() {
            guard var header = links.headers[name] else { continue }
            let isLast = name == links.names.last
            // Where a crash has kept the end from being written, the next segment says what the chain was there.
            if header.end == nil, !isLast, let next = links.headers[links.names[place + 1]], !next.followsGap {
                header.end = SegmentHeader.End(next: next.first, chain: next.chain)
            }
            do throws(StorageError) {
                try check(name, header, in: path, isLast: isLast, take)
            } catch .absent {
                continue
            }
        }
    }

    private static func check(
        _ name: SegmentName, _ header: SegmentHeader, in folder: String, isLast: Bool, _ take: (String) -> Void
    ) throws(StorageError) {
        var reader = FrameReader(try SegmentFile.open(folder + "/" + name.text))
        var (chain, next) = (header.chain, header.first)
        while true {
            switch try reader.next() {
            case .end:
                guard !isLast, !header.isPacked, let end = header.end, end.chain != chain else { return }
                return take("log/\(name.text) ends before its end, at byte \(reader.offset)")
            case .broken(let error):
                // The coordinator may be writing there.
                if !isLast { take("log/\(name.text), byte \(reader.offset): \(error)") }
                return
            case .frame(let frame):
                let isFollowing = frame.follows(header.isPacked ? 0 : chain) && frame.first >= next
                guard isFollowing else {
                    if !isLast {
                        take(
                            "log/\(name.text), byte \(reader.offset - frame.bytes.count): a frame that does not follow")
                    }
                    return
                }
                check(frame, take)
                (chain, next) = (frame.chain, frame.next)
            }
        }
    }

    static func check(_ frame: LogFrame, _ take: (String) -> Void) {
        var isNamed = false
        for place in frame.places {
            let (body, change) = (frame.body(at: place), frame.change(at: place))
            do throws(ByteError) {
                if !body.isEmpty { _ = try LogBody.body(frame.bytes[body]) }
                if !change.isEmpty { _ = try LogChange(decoding: frame.bytes[change]) }
            } catch {
                isNamed = true
                take("entry \(place.number): \(error)")
            }
        }
        if !isNamed, !frame.areContentsWhole {
            take("entry \(frame.first.number) and those with it: a checksum is wrong")
        }
    }
}
