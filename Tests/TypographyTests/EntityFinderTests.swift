import TestSupport
import Testing
import Typography

/// The entities that are found in a text, as "kind text".
private func found(_ text: String) -> [String] {
    let units = Array(text.utf16)
    return EntityFinder.find(in: text).map { entity in
        "\(entity.kind) \(String(decoding: units[Int(entity.start)..<Int(entity.end)], as: UTF16.self))"
    }
}

@Test(arguments: [
    ("https://example.com", "https://example.com"), ("go to HTTP://EXAMPLE.COM now", "HTTP://EXAMPLE.COM"),
    ("http://localhost:8080/a?b=c#d", "http://localhost:8080/a?b=c#d"), ("ftp://10.0.0.1/x", "ftp://10.0.0.1/x"),
    ("https://ada:secret@example.com/", "https://ada:secret@example.com/"),
    ("http://[2001:db8::1]:80/x", "http://[2001:db8::1]:80/x"), ("tg://resolve?domain=x", "tg://resolve?domain=x"),
    ("https://пример.рф/путь", "https://пример.рф/путь"), ("https://例え.テスト/道?名=値", "https://例え.テスト/道?名=値"),
    ("https://xn--e1afmkfd.xn--p1ai", "https://xn--e1afmkfd.xn--p1ai"),
    ("http://foo.photography", "http://foo.photography"),
    ("https://a_b.example.com/~x/%7e;v=1", "https://a_b.example.com/~x/%7e;v=1"),
])
func `finds a link by its scheme`(text: String, url: String) {
    #expect(found(text) == ["url \(url)"])
}

@Test(arguments: [
    ("example.com", "example.com"), ("see example.com/x.", "example.com/x"),
    ("www.example.unheard", "www.example.unheard"),
    ("Example.COM!", "Example.COM"), ("sub.domain.example.co.uk:8443/a", "sub.domain.example.co.uk:8443/a"),
    ("163.com and 4chan.org", "163.com|4chan.org"), ("пример.рф", "пример.рф"), ("münchen.de", "münchen.de"),
    ("例え.jp", "例え.jp"), ("中国互联网.中国", "中国互联网.中国"), ("foo-bar.dev?x=1", "foo-bar.dev?x=1"), ("t.me/ada", "t.me/ada"),
    ("xn--fiqs8s.xn--fiqs8s", "xn--fiqs8s.xn--fiqs8s"), ("see:example.org", "example.org"),
    ("a.io,b.io;c.io", "a.io|b.io|c.io"),
    ("请看example.com谢谢", "example.com"), ("링크는 example.com에서", "example.com"),
    ("ดูที่https://example.comนะ", "https://example.com"),
    ("x.com/@ada/1", "x.com/@ada/1"), ("example.com:port", "example.com"), ("wow...example.com", "example.com"),
])
func `finds a link by its domain`(text: String, urls: String) {
    #expect(found(text) == urls.split(separator: "|").map { "url \($0)" })
}

@Test(arguments: [
    ("(see https://en.wikipedia.org/wiki/Foo_(bar))", "https://en.wikipedia.org/wiki/Foo_(bar)"),
    ("https://en.wikipedia.org/wiki/Foo_(bar).", "https://en.wikipedia.org/wiki/Foo_(bar)"),
    ("[a](https://example.com/b)", "https://example.com/b"), ("https://example.com/a[0]].", "https://example.com/a[0]"),
    ("<https://example.com/>", "https://example.com/"), ("\"https://example.com/a\"", "https://example.com/a"),
    ("'https://example.com/a'", "https://example.com/a"), ("https://example.com/a, or", "https://example.com/a"),
    ("https://example.com/a?!", "https://example.com/a"), ("https://example.com?", "https://example.com"),
    ("**https://example.com/a**", "https://example.com/a"), ("https://example.com/a(", "https://example.com/a"),
    ("https://example.com/a…", "https://example.com/a"), ("https://example.com/a。", "https://example.com/a"),
    ("（https://example.com/a）", "https://example.com/a"), ("«https://example.com/é»", "https://example.com/é"),
    ("https://example.com/a😀", "https://example.com/a"), ("https://example.com،", "https://example.com"),
    ("https://example.com/a\u{A0}b", "https://example.com/a"), ("_https://example.com_", "https://example.com"),
    ("https://example.com/a|b", "https://example.com/a"),
    ("https://example.com/a,b;c:d'e", "https://example.com/a,b;c:d'e"),
])
func `ends a link where its sentence goes on`(text: String, url: String) {
    #expect(found(text) == ["url \(url)"])
}

@Test(arguments: [
    "plain words, nothing else.", "e.g. this, i.e. that, U.S. and a.m.", "Well.Then we go", "Hello.My name",
    "file.txt and a.out",
    "3.14 and 1.000.000,50", "192.168.1.1", "v1.2.3", "...", "a..com", ".com", "http://", "https://.", "://x",
    "javascript://x",
    "foo://example.com", "path/to/example.com", "$example.com", "-.-", "mailto:", "a:b", "12:30", "9/11 and/or",
    "example.com@",
])
func `finds no link in what only looks like one`(text: String) {
    #expect(found(text).isEmpty)
}

@Test(arguments: [
    ("ada@example.com", "ada@example.com"), ("mailto:ada@example.com.", "ada@example.com"),
    ("<ada.lovelace+notes@mail.example.co.uk>", "ada.lovelace+notes@mail.example.co.uk"),
    ("a@b.photography", "a@b.photography"), ("5551234567@txt.example.net", "5551234567@txt.example.net"),
    ("аня@пример.рф", "аня@пример.рф"), ("联系ada@example.com谢谢", "ada@example.com"),
    ("first.io@example.com", "first.io@example.com"),
    ("first.io+x@example.com", "first.io+x@example.com"), ("ada_@163.com,", "ada_@163.com"),
    ("-ada@example.com", "ada@example.com"),
])
func `finds an e-mail address`(text: String, address: String) {
    #expect(found(text) == ["email \(address)"])
}

@Test(arguments: ["ada@", "ada@localhost", "ada@example.", "ada@.com", "a@b@c", "ada.@example.123", "@", "@@", "a @ b"])
func `finds no e-mail address without a domain`(text: String) {
    #expect(found(text).allSatisfy { !$0.hasPrefix("email") })
}

@Test(arguments: [
    "+49 170 1234567", "+1 555 123 4567", "+1 (555) 123-4567", "+1-555-123-4567", "+15551234567", "+44 (0)20 7946 0958",
    "+33 1 23 45 67 89", "+7 (912) 345-67-89", "+86 138 1234 5678", "+91 98765 43210", "+358 9 1234567",
    "0049 170 1234567",
    "(555) 123-4567", "(555)123-4567", "555-123-4567", "555.123.4567", "555 123 4567", "1-800-555-0199", "5551234567",
    "020 7946 0958", "01 23 45 67 89", "01.23.45.67.89", "030/1234567", "(030) 1234567", "0170 1234567",
    "090-1234-5678",
    "0412 345 678", "8 (912) 345-67-89", "89123456789", "138 1234 5678", "13812345678", "98765 43210",
    "(11) 98765-4321",
    "612 345 678", "612 34 56 78", "12 34 56 78", "2345-6789", "555-0199", "345-67-89", "0171\u{A0}1234567",
])
func `finds a telephone number`(number: String) {
    #expect(found(number) == ["phone \(number)"])
    #expect(found("call me (\(number)), ok?") == ["phone \(number)"])
    #expect(found("tel:\(number).") == ["phone \(number)"])
}

@Test(arguments: [
    ("电话13812345678打", "13812345678"), ("555-123-4567 2 tickets", "555-123-4567"),
    ("(555) 123-4567 2 tickets", "(555) 123-4567"),
    ("on 2024-05-06 555-123-4567", "555-123-4567"), ("+49 170 1234567 2024", "+49 170 1234567"),
    ("+1 555 123 4567 20", "+1 555 123 4567"),
    ("5551234567 5557654321", "5551234567|5557654321"),
])
func `ends a telephone number where another begins`(text: String, numbers: String) {
    #expect(found(text) == numbers.split(separator: "|").map { "phone \($0)" })
}

@Test(arguments: [
    "2024-05-06", "06.05.2024", "01.02.2024 12:30", "12/31/2024", "2019-2024", "0930-1730", "12:30:45",
    "2024-05-06T12:30:45",
    "1,234,567", "1.234.567", "1 234 567", "$5551234567", "5551234567 €", "€ 612 345 678", "612 345 678 €",
    "5551234567%", "10.20.30.40",
    "192.168.100.200", "1700000000", "4111 1111 1111 1111", "4111-1111-1111-1111", "12345678901234567890", "123456",
    "12345", "a5551234567",
    "5551234567b", "#5551234567", "id=5551234567", "5551234567.png", "555-123-4567-8", "3.5551234567", "2+5551234567",
    "++", "+", "(", "+1",
    "7f3e-5551234567", "12 34 56 78 90 12 34", "1-1-1-1-1-1-1-1-1",
])
func `finds no telephone number in dates, prices and codes`(text: String) {
    #expect(found(text).isEmpty)
}

@Test(arguments: [
    ("@ada", "mention @ada"), ("hi @ada, and @bob_2!", "mention @ada|mention @bob_2"),
    ("(@ada.lovelace)", "mention @ada.lovelace"),
    ("@ada.", "mention @ada"), ("@анна @李雷 @محمد", "mention @анна|mention @李雷|mention @محمد"),
    ("😀@ada", "mention @ada"),
    ("@ada@example.org hi", "mention @ada@example.org"), ("@ada's", "mention @ada"), ("@ada-b", "mention @ada-b"),
    ("see you @5pm", ""), ("a@ada", ""), ("@@ada", ""), ("/@ada", ""),
    ("#swift", "hashtag #swift"), ("#Ελλάδα #日本語 #हिन्दी", "hashtag #Ελλάδα|hashtag #日本語|hashtag #हिन्दी"),
    ("#2024goals, #a_1.", "hashtag #2024goals|hashtag #a_1"), ("#می‌خواهم", "hashtag #می‌خواهم"),
    ("#𠮷野家", "hashtag #𠮷野家"),
    ("#1 #123", ""), ("a#b", ""), ("&#160;x", ""), ("##a", ""), ("#️⃣", ""), ("#", ""),
    ("/start", "command /start"), ("/start@forme_bot now", "command /start@forme_bot"),
    ("ok /help, /stop.", "command /help|command /stop"),
    ("line\n/help", "command /help"), ("a\u{3000}/help", "command /help"), ("/etc/passwd", ""), ("/a.b", ""),
    ("and/or", ""), ("(/x)", ""),
    ("/1", ""), ("/", ""), ("//x", ""), ("/help@", ""),
])
func `finds names with a sign before them`(text: String, entities: String) {
    #expect(found(text) == entities.split(separator: "|").map(String.init))
}

@Test(arguments: [
    ("https://example.com/@ada#b", "url https://example.com/@ada#b"), ("ada@example.com/@bob", "email ada@example.com"),
    ("https://a.com/x https://b.com/y", "url https://a.com/x|url https://b.com/y"),
    ("https://a.com/555-123-4567", "url https://a.com/555-123-4567"),
    (
        "@ada: 555-123-4567 or ada@example.com, see example.com #now",
        "mention @ada|phone 555-123-4567|email ada@example.com|url example.com|hashtag #now"
    ),
    ("http://a.com,http://b.com", "url http://a.com|url http://b.com"),
    ("/go example.com", "command /go|url example.com"),
])
func `lets the leftmost and longest win`(text: String, entities: String) {
    #expect(found(text) == entities.split(separator: "|").map(String.init))
}

@Test func `counts in UTF-16, beyond the first plane too`() {
    #expect(EntityFinder.find(in: "😀 @a") == [Entity(kind: .mention, start: 3, end: 5)])
}

@Test func `finds the same in ASCII and in UTF-16, however long the text before it`() {
    let entity = "@ada 555-123-4567 /go https://example.com #x1 a@b.io c.com"
    for length in 0..<70 {
        let bytes = Array((String(repeating: "x", count: length) + " " + entity).utf8)
        var wide: [Entity] = []
        var narrow: [Entity] = []
        unsafe bytes.map(UInt16.init).withUnsafeBufferPointer { unsafe EntityFinder.find(in: $0, into: &wide) }
        unsafe bytes.withUnsafeBufferPointer { unsafe EntityFinder.find(inASCII: $0, into: &narrow) }
        #expect(wide.count == 7)
        #expect(wide == narrow)
    }
}

@Test(arguments: ["@ab", "#ab", "/ab", "a.io", "ws://a", "a@b.io", "2345678901"], 0..<40)
func `overlooks nothing, wherever it stands`(entity: String, before: Int) {
    for after in 0..<20 {
        let text = String(repeating: "x ", count: before) + entity + String(repeating: " x", count: after)
        #expect(found(text).count == 1)
    }
}

@Test(arguments: [
    "a.", "a.a", "(", "@", "@a", "a@", "a@a.", "1-", "1 ", "1", "+1", "(1)", "/", "://", "http://", "http://a@", "#",
    "#1", "é", "-", "a-.", "_@",
    "http://a(", "[", "123 456 ", "0.", "https://[", "😀", "\u{D7FF}", "a.com", "a@a.com ", "x@@", "/a@a",
])
func `takes time in proportion to the length, whatever the text`(piece: String) {
    func time(_ count: Int) -> Duration {
        let units = Array(String(repeating: piece, count: count / piece.utf16.count).utf16)
        var entities: [Entity] = []
        return (0..<3).map { _ in
            processorTime { unsafe units.withUnsafeBufferPointer { unsafe EntityFinder.find(in: $0, into: &entities) } }
        }.min()!
    }
    // 8 when linear, 64 when quadratic; a busy machine may spoil a measurement, but not all of them.
    #expect((0..<8).contains { _ in time(40_000) < time(5000) * 24 })
}

@Test func `answers whatever the units are`() {
    let alphabet = Array("a1.@#/:-+() ,é看😀com".utf16) + [0xD800, 0xDC00, 0, 0xFFFF]
    for seed in 0..<20_000 as Range<UInt64> {
        var state = seed
        var units: [UInt16] = []
        for _ in 0..<40 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            units.append(alphabet[Int(state >> 33) % alphabet.count])
        }
        var entities: [Entity] = []
        unsafe units.withUnsafeBufferPointer { unsafe EntityFinder.find(in: $0, into: &entities) }
        let ends: [[Int32]] = entities.map { [$0.start, $0.end] }
        let bounds = [0] + ends.joined() + [Int32(units.count)]
        #expect(bounds == bounds.sorted() && entities.allSatisfy { $0.start < $0.end }, "seed \(seed)")
    }
}
