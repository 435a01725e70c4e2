import MessageLayout
import TestSupport
import Testing
import Typography
import Wire

@Test func `every frame reads back as it was written`() {
    forEachSeed(500) { random in
        var samples = Samples(random: random)
        let frame = try samples.frame()
        return try Frame(decoding: frame.encoded()) == frame
    }
}

@Test func `a frame that was cut anywhere is refused`() {
    forEachSeed(100) { random in
        var samples = Samples(random: random)
        let bytes = try samples.frame().encoded()
        return bytes.indices.allSatisfy { refusal(of: Array(bytes[..<$0])) != nil }
    }
}

@Test func `a frame with a byte too many is refused`() throws {
    #expect(refusal(of: Frame(.pulse).encoded() + [0]) == .trailing(count: 1))
}

@Test func `a frame with a flipped bit is another frame or refused, and never traps`() {
    forEachSeed(300) { random in
        var samples = Samples(random: random)
        let frame = try samples.frame()
        var bytes = frame.encoded()
        let position = Int.random(in: bytes.indices, using: &random)
        bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
        do throws(WireError) {
            return try Frame(decoding: bytes) != frame
        } catch {
            return true
        }
    }
}

@Test(arguments: [
    ([UInt8](), WireError.truncated(needed: 4, left: 0)),
    (Array("HTTP/1.1 200 OK!".utf8), .notForme),
    (header(version: 9), .unknownVersion(9)),
    (header(kind: 99), .unknownKind(99)),
    (header(flags: 1), .unknownFlags(1)),
    (header(kind: 1) + [255, 255, 255, 255], .tooLong(0xFFFF_FFFF, limit: 256, of: "list of Event")),
])
func `a frame that nobody should send says what is wrong with it`(bytes: [UInt8], error: WireError) {
    #expect(refusal(of: bytes) == error)
}

@Test func `the header is sixteen bytes, in one order on every machine`() {
    let pulse = Frame(.pulse, request: RequestID(0x0102_0304_0506_0708)).encoded()
    #expect(pulse == Array("FRME".utf8) + [2, 5, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8])
}

@Test func `names and bodies have limits`() {
    #expect(throws: WireError.empty("Message")) { try MessageID("") }
    #expect(throws: WireError.tooLong(256, limit: 255, of: "Message")) {
        try MessageID(String(repeating: "x", count: 256))
    }
    #expect(throws: WireError.tooLong(Limits.body + 1, limit: Limits.body, of: "body")) {
        try Event(
            conversation: ConversationID("c"), message: MessageID("m"), order: 0, sender: SenderID("s"),
            time: Timestamp(milliseconds: 0), body: Array(repeating: 0x20, count: Limits.body + 1))
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

private func header(version: UInt8 = 2, kind: UInt8 = 5, flags: UInt8 = 0) -> [UInt8] {
    Array("FRME".utf8) + [version, kind, 0, flags] + [UInt8](repeating: 0, count: 8)
}

private func refusal(of bytes: [UInt8]) -> WireError? {
    do throws(WireError) {
        _ = try Frame(decoding: bytes)
        return nil
    } catch {
        return error
    }
}
