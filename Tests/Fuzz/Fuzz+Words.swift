import JSON
import Names
import Pool
import Record
import Replication
import Secrets
import Settings
import Wire

/// What comes over sockets: words in frames, requests as JSON, tokens; and what stands in files that people write.
extension Fuzz {
    /// A byte for the family, then a word behind its head. What can be read of it is written the same.
    static func readWord(_ input: ArraySlice<UInt8>) {
        guard let family = input.first else { return }
        let word = input.dropFirst()
        switch family % 10 {
        case 0: read(Framed<WorkerWord>.self, word)
        case 1: read(Framed<CoordinatorWord>.self, word)
        case 2: read(Framed<FrameRefusal>.self, word)
        case 3: read(Framed<ReadyWord>.self, word)
        case 4: read(Framed<ClientWord>.self, word)
        case 5: read(Framed<GatewayWord>.self, word)
        case 6: _ = try? GatewayWord(decoding: word).json()
        case 8: readMade(word)
        case 9: readLogRecord(word)
        // As it came, with whatever head.
        default: _ = try? Framed<WorkerWord>(decoding: word)
        }
    }

    /// Rows that were made elsewhere, as the worker that stores them reads them.
    private static func readMade(_ bytes: ArraySlice<UInt8>) {
        let made = MadeRows(bytes: Array(bytes), checks: [])
        guard let rows = try? made.rows() else { return }
        precondition(rows.flatMap { $0.encoded() } == made.bytes)
    }

    /// A byte for the kind of record, then what is sealed in it; and the whole as an engine keeps it. What can be read of it is written the same.
    private static func readLogRecord(_ bytes: ArraySlice<UInt8>) {
        if let record = try? SealedRecord(decoding: Array(bytes)) { precondition(record.encoded() == Array(bytes)) }
        let host = try! HostID("a")
        let head = LogRecord.Head(reign: Reign(1), host: host, link: .start, key: KeyNumber(1))
        guard let record = try? LogRecord(head: head, sealedPart: Array(bytes)) else { return }
        precondition(record.sealedPart == Array(bytes))
    }

    private static func read<Word: FramedWord>(_: Framed<Word>.Type, _ word: ArraySlice<UInt8>) {
        let head = Array("FRME".utf8) + [framedVersion, Word.family, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
        guard let framed = try? Framed<Word>(decoding: head + word) else { return }
        let again = try! Framed<Word>(decoding: framed.encoded())
        precondition(again.encoded() == framed.encoded())
    }

    /// A byte for who asks, then JSON.
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

    /// Sealed rows, and tokens.
    static func readSealed(_ input: ArraySlice<UInt8>) {
        guard let sort = input.first else { return }
        let bytes = Array(input.dropFirst())
        if sort & 1 == 0 {
            guard let block = try? RowBlock(bytes) else { return }
            _ = try? block.targets()
        } else {
            _ = Token("forme1_" + String(decoding: bytes, as: UTF8.self))
        }
    }
}
