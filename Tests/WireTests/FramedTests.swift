import TestSupport
import Testing
import Wire

/// Whatever is said between a coordinator and its workers, in bytes.
private func spoken(_ random: inout SplitMix64) throws -> [UInt8] {
    let request = RequestID(random.number())
    return Bool.random(using: &random)
        ? Framed(try random.workerWord(), request: request).encoded()
        : Framed(try random.coordinatorWord(), request: request).encoded()
}

/// What a peer makes of bytes: the bytes that it would say itself; nil where it refuses them.
private func heard(_ bytes: [UInt8]) -> [UInt8]? {
    if let word = try? Framed<WorkerWord>(decoding: bytes) { return word.encoded() }
    return (try? Framed<CoordinatorWord>(decoding: bytes))?.encoded()
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
    let pulse = Framed(CoordinatorWord.pulse).encoded()
    #expect(throws: WireError.unknownKind(3)) { try Framed<WorkerWord>(decoding: pulse) }
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
