import MessageLayout
import Rows
import Testing
import Typography

@Test func `two participants and an observer read the same conversation, each from their own side`() {
    let rows: [RowFacts] = [.message(1), .message(2), .message(2), .message(1)]
    func seen(by own: UInt64?) -> (variants: [ContentVariant], lefts: [Int32]) {
        let dressed = decorated(rows, for: Viewer(own: own.map(SenderNumber.init)))
        return (dressed.map(\.variant), dressed.map(\.content.left))
    }
    #expect(seen(by: 1).variants == [.own, .otherWithName, .other, .own])
    #expect(seen(by: 1).lefts == [186, 46, 46, 186])
    #expect(seen(by: 2).variants == [.otherWithName, .own, .own, .otherWithName])
    #expect(seen(by: 2).lefts == [46, 186, 186, 46])
    #expect(seen(by: nil).variants == [.otherWithName, .otherWithName, .other, .otherWithName])
    #expect(seen(by: nil).lefts == [46, 46, 46, 46])
}

@Test func `in a flat style everyone stands at the same edge and is named`() {
    let dressed = decorated([.message(1), .message(2), .message(2)], .flat)
    #expect(dressed.map(\.variant) == [.otherWithName, .otherWithName, .other])
    #expect(dressed.map(\.content.left) == [64, 64, 64])
}

@Test func `a row is its gaps, its lines and its content, one below the other`() {
    let viewer = Viewer(own: SenderNumber(1), unreadFrom: 5)
    let row = decorated([.message(2, order: 5)], for: viewer)[0]
    #expect(row.gapAbove == 8)
    #expect(row.dateLine?.frame == rect(0, 8, 320, 24))
    #expect(row.unreadLine == rect(0, 40, 320, 28))
    #expect(row.content == rect(46, 76, 100, 60))
    #expect(row.avatar == rect(8, 104, 32, 32))
    #expect(row.gapBelow == 8)
    #expect(row.height == 144)
}

@Test(
    arguments: [("avatar and name", 108, 46), ("bare", 88, 110), ("avatar centred over the content", 144, 110)]
        as [(String, Int32, Int32)])
func `the same content has another row in each template`(template: String, height: Int32, left: Int32) {
    let row = decorated([.message(2, template: template)])[0]
    #expect(row.height == height && row.content.left == left)
}

@Test(arguments: [FailedIcon.Place.edge, .beside])
func `what is in the middle stands there whoever caused it, though one's own may fail`(place: FailedIcon.Place) {
    var style = DecorationStyle.bubbles
    style.failedIcon?.place = place
    func row(of sender: UInt64, width: Int32) -> PixelRect {
        var facts = RowFacts.message(sender, template: "bare")
        facts.sizes = ContentSizes(all: PixelSize(width: width, height: 40))
        return decorated([facts], style)[0].content
    }
    #expect(row(of: 1, width: 100) == row(of: 2, width: 100))
    #expect(row(of: 2, width: 100).left == 110)
    let wide = row(of: 1, width: 260)
    #expect(wide.left >= 16 && wide.right <= 304, "as far as the icon's room allows")
    #expect(wide.left - 16 >= 26 || 304 - wide.right >= 26)
}

@Test func `an avatar at the end of a series is level with the bottom of its last message`() {
    let dressed = decorated([.message(2), .message(2), .message(2)])
    #expect(dressed.map(\.avatar) == [nil, nil, rect(8, 10, 32, 32)])
    #expect(dressed.map(\.content.left) == [46, 46, 46], "its room stays free beside the others")
}

@Test func `an avatar at the start of a series is level with the top of its first message`() {
    let dressed = decorated([.message(2), .message(2), .message(2)], .flat)
    #expect(dressed.map(\.avatar) == [rect(16, 56, 36, 36), nil, nil])
    #expect(dressed.map(\.content.top) == [56, 2, 2])
}

@Test func `a centred avatar stands above its content, and inside the row`() {
    let template = "avatar centred over the content"
    let row = decorated([.message(2, template: template)])[0]
    #expect(row.avatar == rect(136, 40, 48, 48))
    #expect(row.content == rect(110, 96, 100, 40))
    var narrow = RowFacts.message(2, template: template)
    narrow.sizes = ContentSizes(all: PixelSize(width: 10, height: 10))
    var style = DecorationStyle.bubbles
    style.templates[2].other = .start
    #expect(decorated([narrow], style)[0].avatar == rect(16, 40, 48, 48))
}

@Test func `an avatar that is higher than its content makes the row higher`() {
    let style = DecorationStyle.bubbles.with { $0.avatar!.size = .points(50) }
    let row = decorated([.message(2), .message(2)], style)[1]
    #expect(row.avatar == rect(8, 2, 50, 50) && row.content == rect(64, 12, 100, 40) && row.height == 60)
}

@Test func `own messages have an avatar at their own edge where the style wants one`() {
    let style = DecorationStyle.bubbles.with { $0.avatar!.audience.includesOwn = true }
    let row = decorated([.message(1), .message(1)], style)[1]
    #expect(row.avatar == rect(280, 10, 32, 32) && row.content.right == 248)
}

@Test func `in a conversation of two, avatar and name are left out where the style says so`() {
    let two = Viewer(own: SenderNumber(1), conversation: .direct)
    let bubble = decorated([.message(2)], for: two)[0]
    #expect(!bubble.showsName && bubble.avatar == nil && bubble.content.left == 8)
    let flat = decorated([.message(2)], .flat, for: two)[0]
    #expect(flat.showsName && flat.avatar != nil)
}

@Test func `a name stands above the first of a series, or above every message`() {
    let rows: [RowFacts] = [.message(2), .message(2), .message(3)]
    #expect(decorated(rows).map(\.showsName) == [true, false, true])
    let every = DecorationStyle.bubbles.with { $0.senderName!.isOnEveryRow = true }
    #expect(decorated(rows, every).map(\.showsName) == [true, true, true])
    let none = DecorationStyle.bubbles.with { $0.senderName = nil }
    #expect(decorated(rows, none).map(\.showsName) == [false, false, false])
}

@Test func `the unread line stands above the first message at or behind the unread place`() {
    func line(unreadFrom: Int64?, orders: [Int64]) -> [Bool] {
        let viewer = Viewer(own: SenderNumber(1), unreadFrom: unreadFrom)
        return decorated(orders.map { .message(2, order: $0) }, for: viewer).map { $0.unreadLine != nil }
    }
    #expect(line(unreadFrom: 20, orders: [10, 20, 30]) == [false, true, false])
    #expect(line(unreadFrom: 15, orders: [10, 20, 30]) == [false, true, false], "that message was removed")
    #expect(line(unreadFrom: 20, orders: [20, 20, 20]) == [true, false, false])
    #expect(line(unreadFrom: 0, orders: [10, 20]) == [true, false])
    #expect(line(unreadFrom: 31, orders: [10, 20, 30]) == [false, false, false])
    #expect(line(unreadFrom: nil, orders: [10]) == [false])
}

@Test func `a style without lines, icons and handles has none`() {
    var style = DecorationStyle.bubbles
    (style.dateLine, style.unreadLine, style.failedIcon, style.selectionHandle) = (nil, nil, nil, nil)
    let viewer = Viewer(own: SenderNumber(1), unreadFrom: 0, isSelecting: true)
    let row = decorated([.message(1, hasFailed: true)], style, for: viewer)[0]
    #expect(row.dateLine == nil && row.unreadLine == nil && row.failedIcon == nil && row.selectionHandle == nil)
    #expect(row.height == 8 + 40 + 8)
}

@Test func `what failed is marked for its sender: at the edge, or beside`() {
    let rows: [RowFacts] = [.message(1, hasFailed: true)]
    let edge = decorated(rows)[0]
    #expect(edge.failedIcon == rect(292, 50, 20, 20) && edge.content == rect(186, 40, 100, 40))
    let beside = decorated(rows, .flat)[0]
    #expect(beside.failedIcon == rect(170, 78, 16, 16) && beside.content == rect(64, 56, 100, 60))
    var bubbles = DecorationStyle.bubbles
    bubbles.failedIcon!.place = .beside
    let left = decorated(rows, bubbles)[0]
    #expect(left.failedIcon == rect(186, 50, 20, 20) && left.content == rect(212, 40, 100, 40))
    #expect(decorated(rows, for: Viewer(own: SenderNumber(2)))[0].failedIcon == nil)
}

@Test func `while messages are selected, those at the start make way for a handle`() {
    let viewer = Viewer(own: SenderNumber(1), isSelecting: true)
    let dressed = decorated([.message(2), .message(1), .eventLine()], for: viewer)
    #expect(dressed.map(\.content.left) == [80, 186, 110])
    #expect(dressed.map(\.selectionHandle) == [rect(8, 58, 24, 24), rect(8, 20, 24, 24), nil])
}

@Test func `lines grow with the reader's text size, and everything with the scale`() {
    let large = Target(width: .points(320), scale: .two, textScale: TextScale(percent: 150))
    let row = decorated([.message(2)], on: large)[0]
    #expect(row.dateLine?.frame == rect(0, 16, 640, 72))
    #expect(row.content == rect(92, 108, 100, 60) && row.avatar == rect(16, 104, 64, 64))
}

@Test func `a row that names an unknown template has the first of the style`() {
    #expect(decorated([.message(2, template: "poll of 2031")]) == decorated([.message(2)]))
}

@Test func `a reader elsewhere has date lines at other rows, also when the clocks change in between`() {
    // The clocks of Berlin go forward at 01:00 on 29 March 2026, those of New York did on the 8th.
    let berlin = TimeZoneRule(
        initialOffset: 3600, transitions: [.init(fromSeconds: 1_774_746_000, offsetSeconds: 7200)])
    let newYork = TimeZoneRule(
        initialOffset: -18_000, transitions: [.init(fromSeconds: 1_772_953_200, offsetSeconds: -14_400)])
    // 22:30 and 23:30 on the 28th, 22:30 on the 29th, 03:59 and 04:00 on the 30th.
    let seconds: [Int64] = [45_000, 48_600, 131_400, 151_140, 151_200]
    func days(in zone: TimeZoneRule) -> [Int32?] {
        decorated(seconds.map { .message(2, second: $0) }, for: Viewer(zone: zone)).map { $0.dateLine?.day.date.day }
    }
    #expect(days(in: .universal) == [28, nil, 29, 30, nil])
    #expect(days(in: berlin) == [28, 29, 30, nil, nil])
    #expect(days(in: TimeZoneRule(initialOffset: 3600)) == [28, 29, nil, 30, nil], "had they not gone forward")
    #expect(days(in: newYork) == [28, nil, 29, nil, 30])
}
