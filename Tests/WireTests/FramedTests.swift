import Bytes
import Names
import TestSupport
import Testing
import Wire

/// A random word between processes, in bytes.
private func spoken(_ random: inout SplitMix64) throws -> [UInt8] {
    let request = RequestID(random.number())
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: Framed(try random.workerWord(), request: request).encoded()
    case 1: Framed(try random.coordinatorWord(), request: request).encoded()
    case 2: Framed(FrameRefusal.allCases.randomElement(using: &random)!, request: request).encoded()
    default: Framed(try random.readyWord(), request: request).encoded()
    }
}

/// The bytes of the word that a peer reads, as it would say it itself; nil where it refuses them.
private func heard(_ bytes: [UInt8]) -> [UInt8]? {
    func heard<Word: FramedWord>(_: Word.Type) -> [UInt8]? { (try? Framed<Word>(decoding: bytes))?.encoded() }
    return heard(WorkerWord.self) ?? heard(CoordinatorWord.self) ?? heard(FrameRefusal.self)
        ?? heard(ReadyWord.self)
}

private func refusal(of bytes: [UInt8]) -> ByteError? {
    do throws(ByteError) {
        _ = try Framed<CoordinatorWord>(decoding: bytes)
        return nil
    } catch {
        return error
    }
}

/// A header with these fields.
private func header(version: UInt8 = framedVersion, family: UInt8 = 3, flags: UInt8 = 0) -> [UInt8] {
    Array("FRME".utf8) + [version, family, 0, flags] + [UInt8](repeating: 0, count: 8)
}

@Test(arguments: [
    ([UInt8](), ByteError.truncated(needed: 4, left: 0)),
    (Array("HTTP/1.1 200 OK!".utf8), .notForme),
    (header(version: 9), .unknownVersion(9)),
    (header(family: 99), .unknownKind(99)),
    (header(flags: 1), .unknownFlags(1)),
    (header() + [77], .unknownKind(77)),
])
func `a frame that nobody should send says what is wrong with it`(bytes: [UInt8], error: ByteError) {
    #expect(refusal(of: bytes) == error)
}

@Test func `the header is sixteen bytes, in one order on every machine`() {
    let pulse = Framed(CoordinatorWord.pulse([]), request: RequestID(0x0102_0304_0506_0708)).encoded()
    #expect(pulse == Array("FRME".utf8) + [5, 3, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + [1, 0, 0, 0, 0])
}

@Test func `names have limits`() {
    #expect(throws: ByteError.empty("Message")) { try MessageID("") }
    #expect(throws: ByteError.tooLong(256, limit: 255, of: "Message")) {
        try MessageID(String(repeating: "x", count: 256))
    }
}

@Test func `names are equal when their bytes are, not when Unicode would call them equal`() throws {
    #expect(try MessageID("\u{E9}") != MessageID("e\u{301}"))
    #expect(try MessageID("b") < MessageID("\u{E9}"))
}

@Test func `an objection is cut where it is longer than it may be`() {
    let objection = Objection(String(repeating: "é\u{1F600}", count: Limits.objection))
    #expect(objection.text.utf8.count <= Limits.objection && objection.text.hasPrefix("é\u{1F600}é"))
    #expect(Objection("too short").text == "too short")
}

@Test func `every word reads back as it was said`() {
    forEachSeed(500) { random in
        let bytes = try spoken(&random)
        return heard(bytes) == bytes
    }
}

@Test func `a word that was cut anywhere, or has a byte too many, is refused`() {
    forEachSeed(100) { random in
        let bytes = try spoken(&random)
        return bytes.indices.allSatisfy { heard(Array(bytes[..<$0])) == nil } && heard(bytes + [0]) == nil
    }
}

@Test func `a word with a flipped bit is another word or refused, and never traps`() {
    forEachSeed(500) { random in
        let bytes = try spoken(&random)
        var flipped = bytes
        flipped[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        return heard(flipped).map { $0 == flipped } ?? true
    }
}

@Test func `a word for one socket is not understood at another`() throws {
    let pulse = Framed(CoordinatorWord.pulse([])).encoded()
    #expect(throws: ByteError.unknownKind(3)) { try Framed<WorkerWord>(decoding: pulse) }
}

@Test func `events and jobs of the journal read back as they were written`() {
    forEachSeed(500) { random in
        let (event, job) = (try random.messageEvent(), try random.job())
        return try MessageEvent(decoding: event.encoded()) == event && LayoutJob(decoding: job.encoded()) == job
    }
}

@Test func `conversations are spread evenly over shards, and stay where they are`() throws {
    var counts = [Int](repeating: 0, count: 16)
    for number in 0..<16_000 { counts[Int(Shard(of: try ConversationID("room-\(number)"), among: 16).number)] += 1 }
    #expect(counts.allSatisfy { 850...1150 ~= $0 }, "\(counts)")
    #expect(Shard(of: try ConversationID("room-1"), among: 16) == Shard(of: try ConversationID("room-1"), among: 16))
}

@Test func `who still asks for a page of what is stored hears that it is gone, under the number of the question`() {
    var question = header(family: 7) + [1, 0, 0, 0, 1, 0x63]
    question[15] = 9
    let answer = FrameRefusal.answer(to: question)
    #expect(answer == Framed(.gone, request: RequestID(9)))
    #expect(answer.encoded() == Array("FRME".utf8) + [5, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 2, 4])
    for other in [[], Array("GET / HTTP/1.1".utf8), header(family: 99)] {
        #expect(FrameRefusal.answer(to: other) == Framed(.malformed))
    }
}
