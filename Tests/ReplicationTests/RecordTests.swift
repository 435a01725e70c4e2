import Bytes
import Names
import Pool
import Replication
import Testing
import Wire

private let codec = RecordCodec(ClusterID(1), Partition(2), SodiumCipher())
private let bodies: [LogRecord.Body] = [
    .claim(endpoints: ["tcp://10.0.0.1:7400"]), .claim(endpoints: []), .beat, .targets([]),
    .turn(TurnContent(first: LogPosition(4), entries: [Sample.entry(4), Sample.entry(5)], notes: Sample.notes)),
]

private func opened(
    _ bytes: [UInt8], at place: UInt64 = 5, _ codec: RecordCodec<SodiumCipher> = codec, _ key: RecordKey = Sample.key
) throws(RecordFault) -> LogEntry {
    try codec.open(bytes, at: LogSequence(place)) { $0 == KeyNumber(1) ? key : nil }
}

@Test(arguments: bodies)
func `a record is read as it was written, with what leads behind it`(body: LogRecord.Body) throws {
    let record = Sample.record(body, reign: 3, link: ChainLink(77), next: 6)
    let bytes = codec.seal(record, at: LogSequence(5), under: Sample.key)
    let entry = try opened(bytes)
    #expect(entry == LogEntry(sequence: LogSequence(5), record: record, link: ChainLink(behind: bytes)))
}

@Test(arguments: bodies)
func `a record that was cut, changed or made longer is refused`(body: LogRecord.Body) {
    let bytes = codec.seal(Sample.record(body), at: LogSequence(5), under: Sample.key)
    for length in bytes.indices { #expect(throws: RecordFault.self) { try opened(Array(bytes.prefix(length))) } }
    for place in bytes.indices {
        var changed = bytes
        changed[place] ^= 4
        #expect(throws: RecordFault.self) { try opened(changed) }
    }
    #expect(throws: RecordFault.self) { try opened(bytes + [0]) }
}

@Test func `a record opens where it was sealed for, with the key that it names`() {
    let bytes = codec.seal(Sample.record(.beat), at: LogSequence(5), under: Sample.key)
    let other = RecordKey([UInt8](repeating: 8, count: RecordKey.length))
    #expect(throws: RecordFault.doesNotOpen) { try opened(bytes, at: 6) }
    #expect(throws: RecordFault.doesNotOpen) {
        try opened(bytes, RecordCodec(ClusterID(2), Partition(2), SodiumCipher()))
    }
    #expect(throws: RecordFault.doesNotOpen) {
        try opened(bytes, RecordCodec(ClusterID(1), Partition(3), SodiumCipher()))
    }
    #expect(throws: RecordFault.doesNotOpen) { try opened(bytes, codec, other) }
    #expect(throws: RecordFault.lacksKey(KeyNumber(1))) { try codec.open(bytes, at: LogSequence(5)) { _ in nil } }
}

@Test func `a head that was changed, with a checksum that fits, does not open`() throws {
    let bytes = codec.seal(Sample.record(.beat), at: LogSequence(5), under: Sample.key)
    var forged = try SealedRecord(decoding: bytes)
    forged.head.reign = Reign(9)
    #expect(throws: RecordFault.doesNotOpen) { try opened(forged.encoded()) }
}

@Test func `a record of a later version, or longer than any may be, is refused by what it says`() {
    var bytes = codec.seal(Sample.record(.beat), at: LogSequence(5), under: Sample.key)
    bytes[4] = 2
    #expect(throws: RecordFault.unreadable(.unknownVersion(2))) { try opened(bytes) }
    let long = [UInt8](repeating: 0, count: LogBounds.record + 1)
    #expect(throws: RecordFault.self) { try opened(long) }
}

@Test func `nothing of a message stands in a sealed record, nor in the name of a key`() {
    let bytes = codec.seal(Sample.record(.turn(Sample.turn())), at: LogSequence(5), under: Sample.key)
    let marker = Array("see you".utf8)
    #expect(!bytes.indices.contains { bytes[$0...].starts(with: marker) })
    #expect("\(Sample.key)" == "(a key)")
}

@Test func `a body that the log has already does not travel again, and every journal lays out its own`() throws {
    var entry = Sample.entry(0)
    entry.event.body = nil
    let turn = TurnContent(first: LogPosition(1), entries: [entry])
    #expect(turn.entries[0].jobs[0].work == .amend(order: 9, status: Array("\"sent\"".utf8)))
}

@Test func `a turn that is too long goes in pieces that follow each other`() {
    let turn = TurnContent(
        first: LogPosition(3), entries: (3..<9).map { Sample.entry($0) }, notes: Sample.notes)
    let pieces = turn.pieces(atMost: 700)
    #expect(pieces.count > 1)
    #expect(pieces.flatMap(\.entries) == turn.entries)
    #expect(pieces.flatMap(\.notes) == turn.notes)
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
        #expect(next.first.number == piece.first.number + Int64(piece.entries.count + piece.notes.count))
    }
    #expect(turn.pieces(atMost: 1 << 20) == [turn])
    #expect(TurnContent(first: LogPosition(3), entries: []).pieces(atMost: 700).isEmpty)
}

@Test(arguments: [0, 1] as [Int64])
func `every piece of a turn with more notes than a record has room for is a record that can be read`(
    entries: Int64
) throws {
    let card = ConversationCard(
        title: .init(revision: Revision(2), value: String(repeating: "t", count: Limits.title)),
        picture: .init(revision: Revision(1), value: [UInt8](repeating: 7, count: Limits.picture)))
    let notes = [ConversationNote](repeating: ConversationNote(Sample.conversation, .card(card)), count: 600)
    let turn = TurnContent(
        first: LogPosition(3), entries: (3..<3 + entries).map { Sample.entry($0) }, notes: notes)
    let pieces = turn.pieces(atMost: LogBounds.record / 2)
    #expect(pieces.count > 4)
    #expect(pieces.flatMap(\.entries) == turn.entries)
    #expect(pieces.flatMap(\.notes) == turn.notes)
    #expect(pieces.first?.first == turn.first && pieces.last?.next == turn.next)
    for (piece, next) in zip(pieces, pieces.dropFirst()) { #expect(next.first == piece.next) }
    for piece in pieces {
        let record = Sample.record(.turn(piece), next: piece.next.number)
        let entry = try opened(codec.seal(record, at: LogSequence(5), under: Sample.key))
        #expect(entry.record == record)
    }
}

@Test func `a record whose numbers are near the end of their bits is refused, as nobody has counted so far`() {
    var heads = [LogRecord.Head](repeating: Sample.record(.beat).head, count: 2)
    heads[0].reign.number = Reign.most.number + 1
    heads[1].key.number = KeyNumber.most.number + 1
    for head in heads {
        let bytes = SealedRecord(head: head, sealed: [1]).encoded()
        #expect(throws: ByteError.self) { try SealedRecord(decoding: bytes) }
    }
    var entries = [JournalEntry](repeating: Sample.entry(1), count: 4)
    entries[0].jobs[0].number.number = .max
    entries[1].jobs[0].message.number = -1
    entries[2].cards[0].entry = .alias(
        of: Sample.message("m1"), absorbed: AbsorbedRow(number: MessageNumber(.min), removal: JobNumber(4)))
    var card = MessageCard(number: MessageNumber(1))
    card.body = .init(revision: Revision(3), value: .init(at: LogPosition(.min), hash: 7))
    entries[3].cards[1].entry = .message(card)
    var records = entries.map { entry in
        Sample.record(.turn(TurnContent(first: LogPosition(1), entries: [entry])), next: 2)
    }
    records += [Sample.record(.beat, next: .max), Sample.record(.turn(Sample.turn(.max - 1)), next: 6)]
    for record in records {
        #expect(throws: ByteError.self) { try LogRecord(head: record.head, sealedPart: record.sealedPart) }
    }
}
