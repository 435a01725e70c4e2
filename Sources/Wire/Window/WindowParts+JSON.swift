package import JSON
import MessageLayout
import Names
import Record
import Rows
import Typography

extension WindowOpening {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: [
            "window", "conversation", "target", "reader", "around", "count", "screen", "bodies", "messages", "rows",
            "fonts",
        ])
        self.init(
            window: try fields.required("window").window(), conversation: try fields.required("conversation").name(),
            target: try fields.required("target").target(), screen: try fields.required("screen").screen())
        if let own = fields.optional("reader") { self.reader = try WindowReader(own) }
        if let around = fields.optional("around") { place = try WindowPlace(around) }
        count = try fields.optional("count")?.integer(in: 1...Limits.rowsPerPage) ?? 50
        wantsBodies = try fields.optional("bodies")?.bool() ?? true
        wantsMessages = try fields.optional("messages")?.bool() ?? false
        (wantsEditions, wantsUnavailable) = (true, true)
        wantsFonts = try fields.optional("fonts")?.bool() ?? false
        if let rows = fields.optional("rows") {
            rowVersion =
                RowVersion(rawValue: UInt8(try rows.integer(in: 1...Int(RowVersion.newest.rawValue)))) ?? .first
        }
    }
}

extension WindowPlace {
    /// `"newest"`, `"unread"`, `{"message": "m1"}`, `{"date": 1700000000000}` or `{"y": -400}`.
    init(_ reader: JSONReader) throws(JSONError) {
        if reader.value.string != nil {
            self = try reader.choice(["newest": .newest, "unread": .unread])
            return
        }
        let fields = try reader.object(knownKeys: ["message", "date", "y"])
        if let message = fields.optional("message") {
            self = .message(try message.name())
        } else if let date = fields.optional("date") {
            self = .date(try date.time())
        } else {
            self = .y(try fields.required("y").wide())
        }
    }
}

extension WindowReader {
    /// Reads the fields of a reader, as in `open`.
    package init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["own", "unreadFrom", "zone", "clock", "direct", "selecting"])
        self.init()
        if let own = fields.optional("own") { self.own = try own.name() }
        unreadFrom = try fields.optional("unreadFrom")?.wide()
        if let zone = fields.optional("zone") { self.zone = try TimeZoneRule(zone) }
        if let clock = fields.optional("clock") { self.clock = try clock.choice(["24": .hours24, "12": .hours12]) }
        isDirect = try fields.optional("direct")?.bool() ?? false
        isSelecting = try fields.optional("selecting")?.bool() ?? false
    }
}

extension TimeZoneRule {
    /// `{"offset": 3600, "changes": [[1774746000, 7200]]}`, in seconds.
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["offset", "changes"])
        let changes = try fields.optional("changes")?.elements() ?? []
        guard changes.count <= Limits.transitions else {
            throw reader.mismatch(expected: "at most \(Limits.transitions) changes")
        }
        var transitions: [Transition] = []
        for change in changes {
            let pair = try change.elements()
            guard pair.count == 2 else { throw change.mismatch(expected: "[second, offset]") }
            transitions.append(Transition(fromSeconds: try pair[0].wide(), offsetSeconds: try pair[1].offset()))
        }
        self.init(initialOffset: try fields.required("offset").offset(), transitions: transitions)
    }
}

extension WindowAnchor {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["row", "edge", "offset"])
        self.init(row: MessageNumber(try fields.required("row").wide()))
        if let own = fields.optional("edge") { edge = try own.choice(["top": .top, "bottom": .bottom]) }
        offset = Int32(try fields.optional("offset")?.integer(in: Int(Int32.min)...Int(Int32.max)) ?? 0)
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("row", row.number)
            $0.member("edge", "\(edge)")
            $0.member("offset", offset)
        }
    }
}

extension WindowCursor {
    /// `[epoch, stamp, turn]`, each a number, or a text of its digits.
    init(_ reader: JSONReader) throws(JSONError) {
        let numbers = try reader.elements()
        guard numbers.count == 3 else { throw reader.mismatch(expected: "[epoch, stamp, turn]") }
        self.init(
            epoch: LeaseEpoch(try numbers[0].digits()), stamp: Stamp(try numbers[1].digits()),
            turn: try numbers[2].digits())
    }

    func write(to json: inout JSONWriter) {
        json.array {
            $0.exact(epoch.number)
            $0.exact(stamp.number)
            $0.integer(turn)
        }
    }
}

extension JSONReader {
    func wide() throws(JSONError) -> Int64 { Int64(try integer()) }

    /// A moment, as far as calendars go.
    func time() throws(JSONError) -> Timestamp {
        let bounds = Limits.milliseconds
        return Timestamp(milliseconds: Int64(try integer(in: Int(bounds.lowerBound)...Int(bounds.upperBound))))
    }

    /// A number that a client only hands back, written as a number or as text.
    fileprivate func digits<Number: FixedWidthInteger & Sendable>() throws(JSONError) -> Number {
        if let text = value.string {
            guard let number = Number(text) else { throw mismatch(expected: "digits of at most \(Number.max)") }
            return number
        }
        return Number(try integer(in: 0...Int(clamping: Number.max)))
    }

    func window() throws(JSONError) -> WindowID { WindowID(UInt32(try integer(in: 0...Int(UInt32.max)))) }

    func screen() throws(JSONError) -> Int32 { Int32(try integer(in: 0...Int(Limits.screen))) }

    fileprivate func offset() throws(JSONError) -> Int32 { Int32(try integer(in: -86_400...86_400)) }

    /// `{"width": 390, "scale": 3, "textScale": 115, "mirrored": true}`; the last two may be left out.
    func target() throws(JSONError) -> Target {
        let fields = try object(knownKeys: ["width", "scale", "textScale", "mirrored"])
        let scale = try fields.required("scale")
        guard let thousandths = try scale.number().scaled(by: 1000), 500...8000 ~= thousandths else {
            throw scale.mismatch(expected: "device pixels to a point, 0.5...8")
        }
        return Target(
            width: try fields.required("width").points(in: 0...16_384), scale: Scale(thousandths: Int32(thousandths)),
            textScale: TextScale(percent: Int32(try fields.optional("textScale")?.integer(in: 25...400) ?? 100)),
            isMirrored: try fields.optional("mirrored")?.bool() ?? false)
    }
}

extension JSONWriter {
    /// Writes a number, as text where a reader of floating point, such as a browser, would lose digits.
    fileprivate mutating func exact(_ number: UInt64) {
        if number < 1 << 53 { integer(number) } else { string("\(number)") }
    }

    mutating func member(_ name: String, _ value: some BinaryInteger) {
        key(name)
        if let value = Int64(exactly: value) { integer(value) } else { integer(value) }
    }

    mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }
}
