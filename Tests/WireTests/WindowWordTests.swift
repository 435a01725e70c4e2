import Bytes
import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Typography
import Wire

/// A random word between a client and a gateway, in bytes.
private func spoken(_ random: inout SplitMix64) throws -> [UInt8] {
    let request = RequestID(random.number())
    return Bool.random(using: &random)
        ? Framed(try random.clientWord(), request: request).encoded()
        : Framed(try random.gatewayWord(), request: request).encoded()
}

/// The bytes of the word that a peer reads, as it would say it itself; nil where it refuses them.
private func heard(_ bytes: [UInt8]) -> [UInt8]? {
    if let word = try? Framed<ClientWord>(decoding: bytes) { return word.encoded() }
    return (try? Framed<GatewayWord>(decoding: bytes))?.encoded()
}

@Test func `every word about windows reads back as it was said`() {
    forEachSeed(1_000) { random in
        let bytes = try spoken(&random)
        return heard(bytes) == bytes
    }
}

@Test func `a word about windows that was cut anywhere, or has a byte too many, is refused`() {
    forEachSeed(60) { random in
        let bytes = try spoken(&random)
        return bytes.indices.allSatisfy { heard(Array(bytes[..<$0])) == nil } && heard(bytes + [0]) == nil
    }
}

@Test func `a word about windows with a flipped bit is another word or refused, and never traps`() {
    forEachSeed(1_000) { random in
        var bytes = try spoken(&random)
        bytes[.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        guard let again = heard(bytes) else { return true }
        return heard(again) == again
    }
}

@Test func `who asks for nothing that came later says and reads what was said and read before`() throws {
    var opening = WindowOpening(
        window: WindowID(1), conversation: try ConversationID("c"),
        target: Target(width: .points(390), scale: .three), screen: 2000)
    let before = Framed(ClientWord.open(opening)).encoded()
    // The rows, the screen, bodies: yes, messages: no.
    #expect(before.suffix(10) == [0, 0, 0, 50, 0, 0, 7, 208, 1, 0])
    opening.wantsEditions = true
    #expect(Framed(ClientWord.open(opening)).encoded() == before.dropLast() + [2])
    opening.wantsMessages = true
    #expect(Framed(ClientWord.open(opening)).encoded() == before.dropLast() + [3])
    (opening.wantsEditions, opening.wantsUnavailable) = (false, true)
    #expect(Framed(ClientWord.open(opening)).encoded() == before.dropLast() + [5])
    opening.rowVersion = .second
    #expect(Framed(ClientWord.open(opening)).encoded() == before.dropLast() + [13, 2])
    opening.wantsFonts = true
    #expect(Framed(ClientWord.open(opening)).encoded() == before.dropLast() + [29, 2])

    var random = SplitMix64(seed: 5)
    var body = WindowRow.Body(decoration: random.decoration(), layout: [7, 8])
    let plain = body.encoded()
    #expect(plain.suffix(7) == [0, 0, 0, 2, 7, 8, 0])
    body.filler = try EditionID("0b")
    #expect(body.encoded() == plain.dropLast() + [2, 0, 0, 0, 2] + Array("0b".utf8))
    body.fonts = []
    #expect(body.encoded() == plain.dropLast() + [6, 0, 0, 0, 2] + Array("0b".utf8))
    (body.message, body.fonts) = ([9], nil)
    #expect(body.encoded() == plain.dropLast() + [3, 0, 0, 0, 1, 9, 0, 0, 0, 2] + Array("0b".utf8))
}

@Test func `files of fonts stand behind a word once, and rows name them by place`() throws {
    var random = SplitMix64(seed: 6)
    let files = try ["1f", "2f"].map { try #require(FontHash(String(repeating: $0, count: 32))) }
    func row(_ fonts: [FontHash]?) throws -> WindowRow {
        var row = try random.windowRow()
        row.body = WindowRow.Body(decoration: random.decoration(), layout: [])
        row.body?.fonts = fonts
        return row
    }
    let rows = [try row([files[1]]), try row(nil), try row([files[0], files[1]]), try row([])]
    var bare = rows
    for place in bare.indices { bare[place].body?.fonts = nil }
    for place in [0, 2, 3] { bare[place].body?.fonts = [] }
    // A word whose rows need no fonts has an empty table, and an empty list for each row.
    let plain = Array(GatewayWord.rows(WindowID(1), bare).encoded().dropLast(4 + 3 * 2))
    let bytes = GatewayWord.rows(WindowID(1), rows).encoded()
    func word(_ hashes: [FontHash], _ rest: [UInt8]) -> [UInt8] {
        plain + [0, 0, 0, UInt8(hashes.count)] + hashes.flatMap(\.bytes) + rest
    }
    #expect(bytes == word([files[1], files[0]], [0, 1, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0]))
    #expect(try GatewayWord(decoding: bytes) == .rows(WindowID(1), rows))
    // No table, a file that no row names, one that is there twice, and a place where there is none.
    let wrong: [[UInt8]] = [
        plain, word([files[0]], [0, 0, 0, 0, 0, 0]),
        word([files[0], files[0]], [0, 2, 0, 0, 0, 1, 0, 0, 0, 0]), word([files[0]], [0, 1, 0, 1, 0, 0, 0, 0]),
    ]
    for bytes in wrong { #expect(throws: ByteError.self) { try GatewayWord(decoding: bytes) } }
}

@Test(arguments: ["", "1f", String(repeating: "1F", count: 32), String(repeating: "g0", count: 32)])
func `anything but 64 small hexadecimal digits is no hash of a font`(text: String) {
    #expect(FontHash(text) == nil)
    #expect(FontHash(String(repeating: "09af", count: 16))?.text == String(repeating: "09af", count: 16))
}

@Test func `a version of rows that nobody knows is refused, and those that are known are named`() throws {
    var opening = WindowOpening(
        window: WindowID(1), conversation: try ConversationID("c"),
        target: Target(width: .points(390), scale: .three), screen: 2000)
    opening.rowVersion = .second
    let bytes = Framed(ClientWord.open(opening)).encoded()
    for version in [0, 3, 255] as [UInt8] {
        let fault = ByteError.outOfBounds(Int64(version), 1...2, of: "rows")
        #expect(throws: fault) { try Framed<ClientWord>(decoding: bytes.dropLast() + [version]) }
        #expect(fault.reason == "rows: \(version) is not in 1...2")
    }
}

@Test func `a page of fifty heights takes three kilobytes, and a page with bodies little more than these`() throws {
    var random = SplitMix64(seed: 1)
    var reply = try random.windowReply()
    reply.rows = try (0..<50).map { _ in
        var row = try random.windowRow()
        row.body = nil
        return row
    }
    #expect(GatewayWord.window(reply).encoded().count < 3_000)
    for i in reply.rows.indices {
        reply.rows[i].body = .init(decoration: random.decoration(), layout: [UInt8](repeating: 1, count: 250))
    }
    #expect(GatewayWord.window(reply).encoded().count < 20_000)
}

@Test(arguments: ["a", "\u{44F}", "\u{20AC}", "\u{1F600}"])
func `a reason that is longer than it may be is told as far as its letters have room`(letter: String) throws {
    func isBeginning(_ told: String, of text: String, within limit: Int) -> Bool {
        text.unicodeScalars.starts(with: told.unicodeScalars) && (limit - 3...limit).contains(told.utf8.count)
    }
    for start in ["", "x", "xx", "xxx"] {
        let long = start + String(repeating: letter, count: 2 * Limits.objection)
        let answers: [GatewayWord] = [
            .unreadable(long), .rejected(WindowID(1), .invalid(EventFault(field: long, reason: long))),
        ]
        for answer in answers {
            switch try GatewayWord(decoding: answer.encoded()) {
            case .unreadable(let reason): #expect(isBeginning(reason, of: long, within: Limits.name))
            case .rejected(_, .invalid(let fault)):
                #expect(isBeginning(fault.field, of: long, within: Limits.objection))
                #expect(isBeginning(fault.reason, of: long, within: Limits.objection))
            default: Issue.record("another word")
            }
        }
    }
    // A text that just has room is told whole.
    let whole = String(repeating: "x", count: Limits.name - letter.utf8.count) + letter
    #expect(try GatewayWord(decoding: GatewayWord.unreadable(whole).encoded()) == .unreadable(whole))
}

@Test func `a height, a place or a day that no conversation has is refused, and the utmost ones are read`() throws {
    var random = SplitMix64(seed: 7)
    func isRead<Value: ByteCoded & Equatable>(_ value: Value) -> Bool {
        (try? Value(decoding: value.encoded())) == value
    }
    let lengths: [(Int32, Bool)] = [(0, true), (.max, true), (-1, false), (.min, false)]
    for (length, isLength) in lengths {
        for field in [\.height, \.lead, \.strip] as [WritableKeyPath<WindowRow, Int32>] {
            var row = try random.windowRow()
            row.body = nil
            row[keyPath: field] = length
            #expect(isRead(row) == isLength)
        }
        let heights = HeightsReply(window: WindowID(1), cursor: random.cursor(), rank: 0, top: 0, heights: [length])
        #expect(isRead(heights) == isLength)
    }
    let (least, most) = (Limits.y.lowerBound, Limits.y.upperBound)
    let places: [(Int64, Bool)] = [
        (least, true), (most, true), (least - 1, false), (most + 1, false), (.min, false), (.max, false),
    ]
    for (y, isPlace) in places {
        let frame = try random.frame()
        var (high, long, reply) = (frame, frame, try random.windowReply())
        high.top = y
        long.extent = min(y, 0)..<max(y, 0)
        reply.rows = []
        reply.firstVisible = .init(row: MessageNumber(1), y: y)
        #expect(isRead(high) == isPlace && isRead(long) == isPlace && isRead(reply) == isPlace)
        let heights = HeightsReply(window: WindowID(1), cursor: random.cursor(), rank: 0, top: y, heights: [])
        var row = try random.windowRow()
        row.body = nil
        let place = PlaceReply(window: WindowID(1), cursor: random.cursor(), rank: 0, top: y, row: row)
        #expect(isRead(heights) == isPlace && isRead(place) == isPlace)
    }
    for (day, isDay) in [(Limits.days.upperBound, true), (Limits.days.upperBound + 1, false), (.max, false)] {
        var decoration = random.decoration()
        decoration.dateLine = .init(frame: .zero, day: LocalDay(number: day))
        #expect(isRead(decoration) == isDay)
    }
    // The last day that is read has a date, and so have all moments.
    #expect(LocalDay(number: Limits.days.upperBound).date.year > 271_000)
    #expect(Limits.days.contains(Int64.max / 86_400_000 + 1))
}
