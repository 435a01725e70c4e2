import JSON
import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Typography
import Wire

private func parsed(_ text: String) throws -> ClientWord { try ClientWord(parsing: Array(text.utf8)) }

@Test func `clients may say in JSON whatever they say in bytes`() throws {
    let id = WindowID(1)
    let target = Target(width: .points(390), scale: .three)
    var opening = WindowOpening(
        window: id, conversation: try ConversationID("c1"), target: target,
        reader: WindowReader(
            own: try SenderID("ada"), unreadFrom: 7,
            zone: TimeZoneRule(
                initialOffset: 3600, transitions: [.init(fromSeconds: 1_774_746_000, offsetSeconds: 7200)]),
            clock: .hours12, isDirect: true),
        place: .message(try MessageID("m7")), count: 20, screen: 2_532, wantsBodies: false,
        wantsMessages: true, wantsEditions: true, wantsUnavailable: true, rowVersion: .second)
    opening.wantsFonts = true
    #expect(
        try parsed(
            """
            {"open": {"window": 1, "conversation": "c1", "target": {"width": 390, "scale": 3}, "screen": 2532,
              "around": {"message": "m7"}, "count": 20, "bodies": false, "messages": true, "rows": 2, "fonts": true,
              "reader": {"own": "ada", "unreadFrom": 7, "clock": "12", "direct": true,
                "zone": {"offset": 3600, "changes": [[1774746000, 7200]]}}}}
            """)
            == .open(opening))
    let anchor = WindowAnchor(row: MessageNumber(4), edge: .top, offset: -3)
    let cursor = WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(2), turn: 3)
    for (text, word) in [
        (#"{"page": {"window": 1, "side": "older"}}"#, ClientWord.page(id, .older, count: 50)),
        (#"{"heights": {"window": 1, "from": -5, "to": 9}}"#, .heights(id, -5..<9)),
        (#"{"rows": {"window": 1, "rows": [4, 5]}}"#, .rows(id, [MessageNumber(4), MessageNumber(5)])),
        (
            #"{"lines": {"window": 1, "row": 4, "mark": "00c0ffee00c0ffee", "from": 40, "to": 80}}"#,
            .lines(id, WantedLines(row: MessageNumber(4), mark: RowMark(0xc0_ffee_00c0_ffee), lines: 40..<80))
        ),
        (#"{"locate": {"window": 1, "y": -7}}"#, .locate(id, y: -7)),
        (#"{"position": {"window": 1, "message": "m1"}}"#, .position(id, try MessageID("m1"))),
        (#"{"changes": {"window": 1, "since": [1, 2, 3]}}"#, .changes(id, since: cursor)),
        (
            #"""
            {"resize": {"window": 1, "target": {"width": 390, "scale": 3}, "screen": 600,
              "anchor": {"row": 4, "edge": "top", "offset": -3}}}
            """#, .resize(id, target, screen: 600, anchor)
        ),
        (#"{"adjust": {"window": 1, "most": 400, "focus": 0.25}}"#, .adjust(id, maxCount: 400, focus: 250)),
        (#"{"hold": {"window": 1, "anchors": [{"row": 4, "edge": "top", "offset": -3}]}}"#, .hold(id, [anchor])),
        (#"{"busy": {"window": 1, "is": true}}"#, .busy(id, true)),
        (#"{"read": {"window": 1, "from": 8}}"#, .read(id, from: 8)),
        (
            #"{"prewarm": {"conversation": "c1", "targets": [{"width": 390, "scale": 3}]}}"#,
            .prewarm(try ConversationID("c1"), [target])
        ),
        (#"{"close": {"window": 1}}"#, .close(id)),
    ] {
        #expect(try parsed(text) == word)
    }
}

@Test(arguments: [
    (#"{"page": {"window": 1, "side": "up"}}"#, "page.side"), (#"{"page": {"side": "older"}}"#, "page"),
    (#"{"adjust": {"window": 1, "most": 4, "focus": 2}}"#, "adjust.focus"), (#"{"jump": {"window": 1}}"#, ""),
    (#"{"locate": {"window": 1, "y": 1, "x": 1}}"#, "locate.x"), (#"{}"#, ""),
    (#"{"heights": {"window": 1, "from": 9, "to": 1}}"#, "heights.to"),
    (#"{"lines": {"window": 1, "row": 1, "mark": "c0ffee", "from": 1, "to": 2}}"#, "lines.mark"),
])
func `what is wrong with a client's JSON is told with its place`(text: String, path: String) {
    let error = #expect(throws: JSONError.self) { try parsed(text) }
    #expect(error?.path.description == path)
}

extension JSONValue {
    /// As a browser has it: every number as floating point has it, and nothing else changed.
    fileprivate var inABrowser: JSONValue {
        get throws {
            switch self {
            case .null, .bool, .string: self
            case .number(let number): try JSONValue.parse(Array("\(number.double ?? .nan)".utf8))
            case .array(let elements): .array(try elements.map { try $0.inABrowser })
            case .object(let object):
                .object(JSONObject(try object.members.map { .init($0.key, try $0.value.inABrowser) }))
            }
        }
    }
}

@Test(arguments: [0, 1, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
func `a cursor comes back from a browser as it was told`(number: UInt64) throws {
    let cursor = WindowCursor(epoch: LeaseEpoch(number), stamp: Stamp(number), turn: .max)
    let told = GatewayWord.heights(
        HeightsReply(window: WindowID(1), cursor: cursor, rank: 0, top: 0, heights: []))
    let seen = try JSONValue.parse(told.json()).inABrowser
    let since = try #require(seen["heights"]?["cursor"])
    let asked = JSONObject([.init("window", .number(1)), .init("since", since)])
    var json = JSONWriter()
    json.value(.object(JSONObject([.init("changes", .object(asked))])))
    #expect(try ClientWord(parsing: json.bytes) == .changes(WindowID(1), since: cursor))
}

@Test(arguments: [#"["7", 8, "9"]"#, #"[7, "8", 9]"#])
func `numbers of a cursor may be said as text`(cursor: String) throws {
    let word = try parsed(#"{"changes": {"window": 1, "since": \#(cursor)}}"#)
    #expect(word == .changes(WindowID(1), since: WindowCursor(epoch: LeaseEpoch(7), stamp: Stamp(8), turn: 9)))
}

@Test(arguments: [#"["-1", 1, 1]"#, #"["0x1", 1, 1]"#, #"[1, "18446744073709551616", 1]"#, #"[1, 1, "4294967296"]"#])
func `what is no number of a cursor is refused with its place`(cursor: String) throws {
    let error = #expect(throws: JSONError.self) {
        try parsed(#"{"changes": {"window": 1, "since": \#(cursor)}}"#)
    }
    #expect(error?.path.description.hasPrefix("changes.since[") ?? false)
}

@Test func `whatever a gateway says can be read as JSON`() {
    forEachSeed(200) { random in
        let word = try random.gatewayWord(bodies: false)
        guard case .object(let object) = try JSONValue.parse(word.json()) else { return false }
        return object.members.count == 1
    }
}
