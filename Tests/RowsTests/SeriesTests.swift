import MessageLayout
import Rows
import Testing
import Typography

@Test(
    arguments: [
        (1, [0], [.single]),
        (2, [0, 60], [.first, .last]),
        (2, [0, 60, 120, 180], [.first, .middle, .middle, .last]),
        (2, [0, 120], [.first, .last]),
        (2, [0, 121], [.single, .single]),
        (2, [0, -120], [.first, .last]),  // clocks differ; the order is the backend's
        (2, [0, -121], [.single, .single]),
        (1, [0, 10, 500, 510], [.first, .last, .first, .last]),
    ] as [(UInt64, [Int64], [SeriesPosition])])
func `messages of one sender are a series until a pause of more than two minutes`(
    sender: UInt64, seconds: [Int64], series: [SeriesPosition]
) {
    #expect(decorated(seconds.map { .message(sender, second: $0) }).map(\.series) == series)
}

@Test func `a series ends with another sender, and with a kind that takes no part in series`() {
    #expect(decorated([.message(1), .message(2), .message(2)]).map(\.series) == [.single, .first, .last])
    #expect(decorated([.message(0), .eventLine(), .message(0)]).map(\.series) == [.single, .single, .single])
}

@Test func `what else ends a series is the style's choice`() {
    let centred = "avatar centred over the content"
    let rows: [RowFacts] = [
        .message(2, order: 1), .message(2, order: 2, template: centred), .message(2, order: 3, template: centred),
    ]
    let reader = Viewer(own: SenderNumber(1), unreadFrom: 3)
    #expect(decorated(rows, for: reader).map(\.series) == [.single, .single, .single])
    var style = DecorationStyle.bubbles
    style.series.breaks = [.template]
    #expect(decorated(rows, style, for: reader).map(\.series) == [.single, .first, .last])
    style.series.breaks = []
    #expect(decorated(rows, style, for: reader).map(\.series) == [.first, .middle, .last])
}

@Test func `midnight ends a series, unless the style says otherwise`() {
    let rows: [RowFacts] = [.message(2, second: 50_399), .message(2, second: 50_400)]
    #expect(decorated(rows).map(\.series) == [.single, .single])
    var style = DecorationStyle.bubbles
    style.series.breaks.remove(.dateLine)
    #expect(decorated(rows, style).map(\.series) == [.first, .last])
    #expect(decorated(rows, style).map(\.gapAbove) == [8, 8], "beside a line there is always the larger gap")
}

@Test func `the gap above a row tells how near the row before is`() {
    let rows: [RowFacts] = [
        .message(1), .message(1, second: 1), .message(1, second: 500), .message(2, second: 500),
        .message(3, second: 500), .message(1, second: 500),
    ]
    let dressed = decorated(rows)
    #expect(dressed.map(\.gapAbove) == [8, 2, 8, 12, 8, 12])
    #expect(dressed.map(\.gapBelow) == [0, 0, 0, 0, 0, 8])
}

@Test func `corners are small at the edge of a series where its bubbles meet`() {
    let own: [Corners] = [[.bottomEnd], [.topEnd, .bottomEnd], [.topEnd]]
    let other: [Corners] = [[.bottomStart], [.topStart, .bottomStart], [.topStart]]
    #expect(decorated([.message(1), .message(1), .message(1)]).map(\.bubble.smallCorners) == own)
    #expect(decorated([.message(2), .message(2), .message(2)]).map(\.bubble.smallCorners) == other)
    #expect(decorated([.message(2)]).map(\.bubble.smallCorners) == [[]])
}

@Test func `which corners join, and how round they are, is the style's choice`() {
    let rows: [RowFacts] = [.message(2), .message(2)]
    var style = DecorationStyle.bubbles
    style.corners.joined = .both
    let both = decorated(rows, style)
    #expect(both.map(\.bubble.smallCorners) == [[.bottomStart, .bottomEnd], [.topStart, .topEnd]])
    #expect(both.map(\.bubble.largeRadius) == [18, 18] && both.map(\.bubble.smallRadius) == [4, 4])
    #expect(decorated(rows, .flat).map(\.bubble.smallCorners) == [[], []])
}

@Test(
    arguments: [(.never, [false, false, false]), (.first, [true, false, false]), (.last, [false, false, true])]
        as [(CornerRule.Tail, [Bool])])
func `one bubble of a series has a tail`(tail: CornerRule.Tail, tails: [Bool]) {
    var style = DecorationStyle.bubbles
    style.corners.tail = tail
    let rows: [RowFacts] = [.message(1), .message(1), .message(1)]
    #expect(decorated(rows, style).map(\.bubble.hasTail) == tails)
    #expect(decorated([.eventLine()], style).map(\.bubble.hasTail) == [false])
}
