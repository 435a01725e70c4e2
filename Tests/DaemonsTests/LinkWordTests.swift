import Bytes
import Names
import Pool
import Replication
import TestSupport
import Testing
import Wire

@testable import Daemons

private func mark(_ host: HostID, owner: HostID? = nil, keys: [KeyNumber] = []) -> Mark {
    let anchor = LogAnchor(
        sequence: LogSequence(7), link: ChainLink(8), reign: Reign(2), owner: owner, next: LogPosition(40))
    return Mark(host: host, partition: Partition(3), anchor: anchor, keys: keys, wiped: KeyNumber(5), isLost: true)
}

private func words() throws -> [LinkWord] {
    let (a, b) = (try HostID("a"), try HostID("host-b"))
    let key = RecordKey([UInt8](repeating: 9, count: RecordKey.length))
    return [
        LinkWord(a, .word(.mark(mark(a)))),
        LinkWord(b, .word(.mark(mark(b, owner: a, keys: [KeyNumber(6), .most])))),
        LinkWord(a, .word(.key(Partition(1), KeyNumber(6), key))),
        LinkWord(b, .word(.call(Partition(2), end: LogSequence(77)))), LinkWord(a, .word(.move(Partition(0), to: b))),
        LinkWord(a, .post(serial: .max, payer: "backend", request: Array(#"{"events":[]}"#.utf8))),
        LinkWord(a, .post(serial: 0, payer: "", request: [])), LinkWord(b, .answer(serial: 3, json: [1, 2, 3])),
        LinkWord(a, .copy(number: 1, offset: 1 << 40)),
        LinkWord(b, .piece(number: 1, offset: 5, size: 9, bytes: [0, 255])),
        LinkWord(
            a,
            .question(
                RowQuestion(
                    batch: BatchID(term: 1, number: .max), edition: try EditionID("0a"), engine: "9f",
                    jobs: [
                        .init(place: 511, shard: Shard(15), message: MessageNumber(.max), number: JobNumber(.max)),
                        .init(place: 0, shard: Shard(0), message: MessageNumber(1), number: JobNumber(2)),
                    ]))),
        LinkWord(a, of: 12, .word(.mark(mark(a)))), LinkWord(b, of: Int(UInt16.max), .copy(number: 1, offset: 0)),
        LinkWord(
            b, of: 2,
            .named(
                NamedRowQuestion(
                    RowQuestion(
                        batch: BatchID(term: 1, number: 2), edition: try EditionID("0a"), engine: "9f",
                        jobs: [
                            .init(place: 3, shard: Shard(1), message: MessageNumber(4), number: JobNumber(5)),
                            .init(place: 4, shard: Shard(2), message: MessageNumber(5), number: JobNumber(6)),
                        ]),
                    [
                        MessageKey(try ConversationID("c"), try MessageID("m")),
                        MessageKey(try ConversationID("d"), try MessageID("n")),
                    ]))),
        LinkWord(b, .rows(BatchID(term: 2, number: 3), [0, 1, 255])), LinkWord(a, .count(.max)),
        LinkWord(a, .counted(9, RowCount(edition: try EditionID("0a"), rows: .max, digest: 5))),
        LinkWord(b, .counted(0, RowCount(edition: try EditionID("0a"), rows: nil, digest: 0))),
    ]
}

@Test func `a word between hosts is read as it was said`() throws {
    for word in try words() { #expect(try LinkWord(word.bytes) == word) }
}

@Test func `a word between hosts that is cut, or has more behind it, is refused`() throws {
    for word in try words() {
        let bytes = word.bytes
        for count in 0..<bytes.count {
            #expect(throws: (any Error).self) { try LinkWord(Array(bytes[..<count])) }
        }
        #expect(throws: (any Error).self) { try LinkWord(bytes + [0]) }
    }
}

/// The version is the third byte. Builds that know a single log read version 1 alone.
@Test func `a word of a cluster with several partitions is of another version than one of a single log`() throws {
    let a = try HostID("a")
    let (single, several) = (LinkWord(a, .count(7)).bytes, LinkWord(a, of: 12, .count(7)).bytes)
    #expect(single[2] == 1 && several[2] == 2)
    #expect(try LinkWord(single).partitions == 1 && LinkWord(several).partitions == 12)
    var later = several
    later[2] = 3
    #expect(throws: ByteError.unknownVersion(3)) { try LinkWord(later) }
    // One partition is no several, and a host with a single log names no messages.
    var one = several
    (one[8], one[9]) = (0, 1)
    #expect(throws: ByteError.self) { try LinkWord(one) }
    let question = RowQuestion(batch: BatchID(term: 1, number: 2), edition: try EditionID("0a"), engine: "9f", jobs: [])
    let named = LinkWord(a, .named(NamedRowQuestion(question, []))).bytes
    #expect(throws: ByteError.unknownKind(13)) { try LinkWord(named) }
}

@Test func `a number that nobody can have counted is in no word between hosts`() throws {
    let a = try HostID("a")
    let key = RecordKey([UInt8](repeating: 9, count: RecordKey.length))
    var marks = [Mark](repeating: mark(a, keys: [KeyNumber(6)]), count: 5)
    marks[0].anchor.sequence.number = LogSequence.most.number + 1
    marks[1].anchor.reign.number = Reign.most.number + 1
    marks[2].anchor.next.number = -1
    marks[3].wiped.number = KeyNumber.most.number + 1
    marks[4].keys = [KeyNumber(6), KeyNumber(.max)]
    let given = LinkWord(a, .word(.key(Partition(1), KeyNumber(.max), key)))
    let words = marks.map { LinkWord(a, .word(.mark($0))) } + [given]
    for word in words { #expect(throws: ByteError.self) { try LinkWord(word.bytes) } }
}

@Test func `any change of a word between hosts is refused, or is another word that says the same of itself`() throws {
    let words = try words()
    forEachSeed(2000) { random in
        var bytes = words.randomElement(using: &random)!.bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0 ... .max, using: &random)
        }
        guard let word = try? LinkWord(bytes) else { return true }
        return word.bytes == bytes
    }
}

@Test func `the line of a host that forwards a request is in the envelope of its answer`() throws {
    let line = AnswerLine(route: [0, 1, 2, 3], serial: 0xFEDC_BA98_7654_3210)
    #expect(AnswerLine([line.frame]) == line)
    // Routes of libzmq and those of workers elsewhere are no lines.
    for first in [0, 0xFF] as [UInt8] { #expect(AnswerLine([[first] + [UInt8](repeating: 7, count: 20)]) == nil) }
    #expect(AnswerLine([]) == nil && AnswerLine([Array(line.frame.prefix(9))]) == nil)
}
