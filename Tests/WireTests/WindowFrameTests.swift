import JSON
import Names
import Testing
import Wire

@Test(arguments: [0, 7], [0, 7])
func `a window says at each of its ends whether there is more, in JSON as in bytes`(above: Int, below: Int) throws {
    let frame = WindowFrame(
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)), edition: try EditionID("0a"), isOld: false,
        rowsAbove: above, rowsBelow: below, top: 0, extent: -70..<70)
    let word = GatewayWord.window(
        WindowReply(
            window: WindowID(1), part: .whole, reason: .firstLoad, frame: frame, rows: [], insertedAbove: 0,
            firstVisible: nil, contentFits: false, prefetch: PrefetchHint(older: nil, newer: nil)))
    let json = try JSONValue.parse(word.json())["window"]
    #expect(json?["hasOlder"] == .bool(above > 0) && json?["hasNewer"] == .bool(below > 0))
    #expect(json?["rowsAbove"]?.number?.integer == above && json?["rowsBelow"]?.number?.integer == below)
    let read = try Framed<GatewayWord>(decoding: Framed(word).encoded()).word
    guard case .window(let reply) = read else {
        Issue.record("\(read)")
        return
    }
    #expect(reply.frame.hasOlder == (above > 0) && reply.frame.hasNewer == (below > 0))
}
