import JSON
import MessageLayout
import Names
import Pool
import Record
import Replication
import Secrets
import Settings
import Typography
import Wire

/// Readers of bytes from sockets (words in frames, requests as JSON, tokens) and of files that people write.
extension Fuzz {
    /// Input: a byte for the family, then a word without its head. A word that can be read is written the same.
    static func readWord(_ input: ArraySlice<UInt8>) {
        guard let family = input.first else { return }
        let word = input.dropFirst()
        switch family % 11 {
        case 0: read(Framed<WorkerWord>.self, word)
        case 1: read(Framed<CoordinatorWord>.self, word)
        case 2: read(Framed<FrameRefusal>.self, word)
        case 3: read(Framed<ReadyWord>.self, word)
        case 4: read(Framed<ClientWord>.self, word)
        case 5: read(Framed<GatewayWord>.self, word)
        case 6: _ = try? GatewayWord(decoding: word).json()
        case 8: readMade(word)
        case 9: readLogRecord(word)
        case 10: readMark(word)
        // The bytes as they came, with any head.
        default: _ = try? Framed<WorkerWord>(decoding: word)
        }
    }

    /// Rows that were made elsewhere, as the worker that stores them reads them.
    private static func readMade(_ bytes: ArraySlice<UInt8>) {
        let made = MadeRows(bytes: Array(bytes), checks: [])
        guard let rows = try? made.rows() else { return }
        precondition(rows.flatMap { $0.encoded() } == made.bytes)
    }

    /// Input: a byte for the kind of record, then its sealed part; and the whole as an engine keeps it. A record that
    /// can be read is written the same.
    private static func readLogRecord(_ bytes: ArraySlice<UInt8>) {
        if let record = try? SealedRecord(decoding: Array(bytes)) { precondition(record.encoded() == Array(bytes)) }
        let host = try! HostID("a")
        let head = LogRecord.Head(reign: Reign(1), host: host, link: .start, key: KeyNumber(1))
        guard let record = try? LogRecord(head: head, sealedPart: Array(bytes)) else { return }
        precondition(record.sealedPart == Array(bytes))
        if case .turn(let turn) = record.body {
            let pieces = turn.pieces(atMost: 1)
            precondition(pieces.flatMap(\.entries) == turn.entries && pieces.flatMap(\.notes) == turn.notes)
        }
        for start in [LogAnchor.start, LogAnchor(behind: record)] {
            live(.entry(LogEntry(sequence: start.sequence.next, record: record, link: ChainLink(7))), behind: start)
        }
    }

    private static func readMark(_ bytes: ArraySlice<UInt8>) {
        let host = try! HostID("a")
        var reader = ByteReader(bytes)
        guard let mark = try? Mark(of: host, from: &reader) else { return }
        var writer = ByteWriter()
        mark.write(to: &writer)
        precondition(bytes.starts(with: writer.bytes))
        live(.mark(mark), behind: .start)
    }

    /// Gives an event of another host or of the log to a replica that is alone with it: the replica claims, makes
    /// keys, and takes the next of every number that it counts.
    private static func live(_ event: Replica.Event, behind start: LogAnchor) {
        let hosts = ["a", "b"].map { try! HostID($0) }
        var replica = Replica(
            Partition(0), of: hosts[1], among: hosts, trail: AnchorTrail(from: start), end: start.next)
        for event in [event, .end(LogExtent(last: .zero, trimmed: .zero))] { _ = replica.handle(event) }
        for second in 1...30 as ClosedRange<Int64> {
            for effect in replica.handle(.tick(Moment(sinceStart: .seconds(second)))) {
                guard case .makeKey(let number) = effect else { continue }
                let key = RecordKey([UInt8](repeating: 1, count: RecordKey.length))
                _ = replica.handle(.stored(number, key))
            }
        }
    }

    private static func read<Word: FramedWord>(_: Framed<Word>.Type, _ word: ArraySlice<UInt8>) {
        let head = Array("FRME".utf8) + [framedVersion, Word.family, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
        guard let framed = try? Framed<Word>(decoding: head + word) else { return }
        let again = try! Framed<Word>(decoding: framed.encoded())
        precondition(again.encoded() == framed.encoded())
    }

    /// Input: a byte for the kind of request, then JSON.
    static func readRequest(_ input: ArraySlice<UInt8>) {
        guard let sort = input.first else { return }
        let bytes = Array(input.dropFirst())
        switch sort % 6 {
        case 0:
            guard let request = try? IngestRequest(parsing: bytes) else { return }
            let events = request.events.compactMap { try? $0.get() }
            let again = try! IngestRequest(parsing: IngestRequest.json(of: events, lane: request.lane))
            precondition(again.events.compactMap { try? $0.get() } == events)
        case 1: _ = try? IngestReply(parsing: bytes)
        case 2: _ = try? OperatorRequest(parsing: bytes)
        case 3: _ = try? ClientWord(parsing: bytes)
        case 4: _ = try? Configuration(bytes, from: "forme.json5")
        default: _ = try? AllowList(String(decoding: bytes, as: UTF8.self), from: "allowed.json5")
        }
    }

    /// The plan of lists of heights for screens of three scales.
    private static let plan = HeightPlan(
        [3000, 2000, 1000].flatMap { scale in
            [430, 390, 320].map { Target(width: .points($0), scale: Scale(thousandths: scale)) }
        })

    /// Input: a byte that chooses between sealed rows, which are a list of heights, too, and a token, then that.
    static func readSealed(_ input: ArraySlice<UInt8>) {
        guard let sort = input.first else { return }
        let bytes = Array(input.dropFirst())
        if sort & 1 == 0 {
            let sum = (0..<4).map { UInt8(truncatingIfNeeded: plan.sum >> UInt32(8 * $0)) }
            _ = try? plan.heights(in: (sum + bytes)[...])
            guard let block = try? RowBlock(bytes) else { return }
            _ = try? block.targets()
        } else {
            _ = Token("forme1_" + String(decoding: bytes, as: UTF8.self))
        }
    }
}

extension LogAnchor {
    /// An anchor behind which the record may stand, by its place in the journal.
    fileprivate init(behind record: LogRecord) {
        var next = record.next
        if case .turn(let turn) = record.body { next = turn.first }
        self.init(
            sequence: .most, link: record.head.link, reign: record.head.reign, owner: record.head.host, next: next)
    }
}
