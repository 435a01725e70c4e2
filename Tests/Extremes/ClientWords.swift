import MessageLayout
import Names
import Record
import Rows
import Typography
import Wire

// Words of clients, producers and operators, with extreme numbers in every field that has one.
extension ExtremeNumbers {
    static let conversations = ["c", "d", "e"]
    static let target = Target(width: .points(390), scale: Scale(thousandths: 3000))

    mutating func conversation() -> ConversationID { try! ConversationID(one(of: Self.conversations)) }
    mutating func message() -> MessageID { try! MessageID("m\(below(300))") }
    mutating func window() -> WindowID {
        happens(90) ? WindowID(UInt32(1 + below(3))) : WindowID(UInt32(truncatingIfNeeded: wide()))
    }
    mutating func row() -> MessageNumber { MessageNumber(happens(60) ? Int64(1 + below(300)) : wide()) }

    mutating func screen() -> Target {
        if happens(85) { return Self.target }
        return Target(
            width: Fixed(raw: Int32(clamping: within(0...16_384 * 64))),
            scale: Scale(thousandths: Int32(clamping: within(500...8000))),
            textScale: TextScale(percent: Int32(clamping: within(25...400))), isMirrored: happens(50))
    }

    mutating func reader() -> WindowReader {
        var reader = WindowReader()
        if happens(50) { reader.own = try! SenderID("s\(below(3))") }
        if happens(30) { reader.unreadFrom = wide() }
        if happens(20) {
            reader.zone = TimeZoneRule(
                initialOffset: Int32(clamping: within(-86_400...86_400)),
                transitions: (0..<below(4)).map { _ in
                    .init(fromSeconds: wide(), offsetSeconds: Int32(clamping: within(-86_400...86_400)))
                })
        }
        (reader.isDirect, reader.isSelecting) = (happens(20), happens(10))
        return reader
    }

    mutating func anchor() -> WindowAnchor {
        WindowAnchor(row: row(), edge: happens(50) ? .top : .bottom, offset: half())
    }

    mutating func cursor() -> WindowCursor {
        let stamp = happens(60) ? UInt64(below(200)) : UInt64(bitPattern: wide())
        return WindowCursor(
            epoch: LeaseEpoch(UInt64(bitPattern: happens(60) ? Int64(below(3)) : wide())), stamp: Stamp(stamp),
            turn: UInt32(truncatingIfNeeded: happens(60) ? Int64(below(3)) : wide()))
    }

    mutating func place() -> WindowPlace {
        switch below(6) {
        case 0: .newest
        case 1: .unread
        case 2: .message(message())
        case 3:
            .date(
                Timestamp(
                    milliseconds: happens(70) ? Int64(within(-8_640_000_000_000_000...8_640_000_000_000_000)) : wide()))
        default: .y(wide())
        }
    }

    mutating func clientWord() -> ClientWord {
        switch below(15) {
        case 0...2:
            return .open(
                WindowOpening(
                    window: window(), conversation: conversation(), target: screen(), reader: reader(), place: place(),
                    count: happens(70) ? 1 + below(30) : within(1...256), screen: Int32(clamping: within(0...1 << 20)),
                    wantsBodies: happens(50), wantsMessages: happens(20), wantsEditions: happens(20)))
        case 3: return .page(window(), happens(50) ? .older : .newer, count: within(1...256))
        case 4: return .heights(window(), range())
        case 5: return .rows(window(), (0..<below(20)).map { _ in row() })
        case 6: return .locate(window(), y: wide())
        case 7: return .position(window(), message())
        case 8: return .changes(window(), since: cursor())
        case 9:
            return .resize(
                window(), screen(), screen: Int32(clamping: within(0...1 << 20)), happens(50) ? anchor() : nil)
        case 10: return .adjust(window(), maxCount: within(1...4096), focus: within(0...1000))
        case 11: return .hold(window(), (0..<below(18)).map { _ in anchor() })
        case 12: return happens(50) ? .busy(window(), happens(50)) : .read(window(), from: happens(80) ? wide() : nil)
        case 13: return happens(50) ? .prewarm(conversation(), (0..<below(3)).map { _ in screen() }) : .close(window())
        default:
            let (one, other) = (within(0...1 << 20), within(0...1 << 20))
            return .lines(
                window(),
                WantedLines(
                    row: row(), mark: RowMark(UInt64(bitPattern: wide())), lines: min(one, other)..<max(one, other)))
        }
    }

    /// A request's path and query.
    mutating func address() -> String {
        var query = "target=\(happens(85) ? "390@3" : "\(within(1...16_384))@\(within(1...8)),\(within(25...400))")"
        func number(_ text: String) -> String { text }
        if happens(40) { query += "&count=\(within(1...256))" }
        if happens(40) { query += "&screen=\(within(1...1 << 20))" }
        if happens(30) { query += "&unreadFrom=\(wide())" }
        if happens(20) { query += "&as=s\(below(3))" }
        if happens(20) {
            query +=
                "&reader=%7B%22zone%22:%7B%22offset%22:\(within(-86_400...86_400)),"
                + "%22changes%22:%5B%5B\(wide()),\(within(-86_400...86_400))%5D%5D%7D,%22clock%22:%22\(happens(50) ? 12 : 24)%22%7D"
        }
        let places = ["newest", "unread", "message:m\(below(300))", "date:\(wide())", "y:\(wide())"]
        let path = "/v1/conversations/\(one(of: Self.conversations))/"
        switch below(4) {
        case 0: return path + "heights?from=\(wide())&to=\(wide())&" + query
        case 1: return path + "place?around=\(one(of: places))&" + query
        default:
            let details = [
                "", "", "&beside=older:\(row().number)", "&beside=newer:\(row().number)",
                "&lines=\(row().number):00c0ffee00c0ffee:\(within(0...1 << 20)):\(within(0...1 << 20))",
            ]
            return path + "window?around=\(one(of: places))\(one(of: details))&bodies=\(happens(50) ? "yes" : "no")&"
                + query
        }
    }

    /// A word of a client as JSON, as it is posted to a stream.
    mutating func jsonWord() -> String {
        let window = 1 + below(3)
        switch below(9) {
        case 0: return "{\"heights\":{\"window\":\(window),\"from\":\(wide()),\"to\":\(wide())}}"
        case 1: return "{\"locate\":{\"window\":\(window),\"y\":\(wide())}}"
        case 2: return "{\"page\":{\"window\":\(window),\"side\":\"older\",\"count\":\(within(1...256))}}"
        case 3: return "{\"rows\":{\"window\":\(window),\"rows\":[\(wide()),\(row().number)]}}"
        case 4: return "{\"changes\":{\"window\":\(window),\"since\":[\(wide()),\(wide()),\(wide())]}}"
        case 5:
            return
                "{\"adjust\":{\"window\":\(window),\"most\":\(within(1...4096)),\"focus\":\(happens(50) ? "0.5" : "\(wide())")}}"
        case 6: return "{\"hold\":{\"window\":\(window),\"anchors\":[{\"row\":\(row().number),\"offset\":\(wide())}]}}"
        case 7: return "{\"read\":{\"window\":\(window),\"from\":\(wide())}}"
        default:
            return "{\"resize\":{\"window\":\(window),\"screen\":\(within(0...1 << 20)),"
                + "\"target\":{\"width\":\(within(0...16_384)),\"scale\":\(within(1...8)),\"textScale\":\(within(25...400))}}}"
        }
    }

    /// An event of a backend.
    mutating func event() -> String {
        var fields = ["\"conversation\":\"\(one(of: Self.conversations))\"", "\"message\":\"m\(below(300))\""]
        if happens(60) { fields.append("\"revision\":\(happens(50) ? Int64(below(9)) : wide())") }
        if happens(70) { fields.append("\"order\":\(wide())") }
        if happens(70) {
            fields.append(
                "\"sender\":\"s\(below(3))\",\"time\":\(happens(70) ? Int64(within(-8_640_000_000_000_000...8_640_000_000_000_000)) : wide())"
            )
            fields.append(
                happens(60)
                    ? "\"text\":\"\(wide())\""
                    : "\"body\":{\"kind\":\"photo\",\"photo\":{\"width\":\(wide()),\"height\":\(wide())}}")
        }
        if happens(20) { fields.append("\"status\":\(happens(50) ? "\"failed\"" : "\(wide())")") }
        if happens(10) { fields.append("\"reactions\":[{\"emoji\":\"x\",\"count\":\(wide())}]") }
        if happens(10) { fields.append("\"clientID\":\"m\(below(300))\"") }
        if happens(5) { fields.append("\"deleted\":true") }
        return "{" + fields.joined(separator: ",") + "}"
    }

    mutating func operatorRequest() -> String {
        let screen = "\(within(1...16_384))@\(within(1...8)),\(within(25...400))"
        switch below(10) {
        case 0...3:
            return
                "{\"do\":\"wanted\",\"targets\":[[\"\(screen)\",\(happens(80) ? Int64(within(1...1 << 40)) : wide())]]}"
        case 4: return "{\"do\":\"prepare\",\"target\":\"\(screen)\"}"
        case 5: return "{\"do\":\"forget\",\"target\":\"\(screen)\"}"
        case 6: return "{\"do\":\"shelf\",\"limit\":\(wide()),\"after\":\"0a/\(wide())/\(wide())\"}"
        case 7: return "{\"do\":\"dismiss\",\"process\":\(wide())}"
        case 8: return "{\"do\":\"drop\",\"places\":[\"0a/\(below(9))/\(wide())\"]}"
        default: return "{\"do\":\"status\"}"
        }
    }
}
