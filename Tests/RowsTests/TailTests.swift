import Rows
import Testing

@Test(arguments: [(.never, false), (.first, true), (.last, true)] as [(CornerRule.Tail, Bool)])
func `a message that stands alone has the tail of its series`(tail: CornerRule.Tail, hasTail: Bool) {
    var style = DecorationStyle.bubbles
    style.corners.tail = tail
    // Theirs, one's own, and the other's again, each by itself.
    let rows: [RowFacts] = [.message(2), .message(1), .message(2)]
    #expect(decorated(rows, style).map(\.series) == [.single, .single, .single])
    #expect(decorated(rows, style).map(\.bubble.hasTail) == [hasTail, hasTail, hasTail])
}
