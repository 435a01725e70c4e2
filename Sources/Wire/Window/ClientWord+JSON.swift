package import JSON
import MessageLayout
import Names
import Record
import Typography

/// An object with one member, which names the word:
///
/// ```json
/// {"open": {"window": 1, "conversation": "c1", "target": {"width": 390, "scale": 3}, "around": {"message": "m7"}, "screen": 2532}}
/// {"page": {"window": 1, "side": "older", "count": 50}}
/// ```
extension ClientWord {
    package init(parsing bytes: [UInt8]) throws(JSONError) { try self.init(JSONReader(JSONValue.parse(bytes))) }

    init(_ root: JSONReader) throws(JSONError) {
        guard let (name, word) = try root.object().all.first, try root.object().all.count == 1 else {
            throw root.mismatch(expected: "an object with one word")
        }
        if name == "open" {
            self = .open(try WindowOpening(word))
            return
        }
        if name == "prewarm" {
            let fields = try word.object(knownKeys: ["conversation", "targets"])
            let targets = try fields.required("targets")
            guard try targets.elements().count <= Limits.targets else {
                throw targets.mismatch(expected: "at most \(Limits.targets) targets")
            }
            var list: [Target] = []
            for target in try targets.elements() { list.append(try target.target()) }
            self = .prewarm(try fields.required("conversation").name(), list)
            return
        }
        guard let keys = ClientWord.keys[name] else {
            let words = ClientWord.keys.keys.sorted().joined(separator: ", ")
            throw root.mismatch(expected: "one of open, prewarm, \(words)")
        }
        let fields = try word.object(knownKeys: ["window"] + keys)
        let window = try fields.required("window").window()
        if name == "ranges" {
            self = .ranges(window, try RangesQuestion(word, fields))
            return
        }
        try self.init(name, window, fields)
    }

    private static let keys: [String: [String]] = [
        "page": ["side", "count"], "heights": ["from", "to"], "rows": ["rows"],
        "lines": ["row", "mark", "from", "to"], "locate": ["y"],
        "position": ["message"], "changes": ["since"], "resize": ["target", "screen", "anchor"],
        "adjust": ["most", "focus"], "hold": ["anchors"], "busy": ["is"], "read": ["from"], "close": [],
        "preview": ["draft"], "ranges": RangesQuestion.fields,
    ]

    private init(_ name: String, _ window: WindowID, _ fields: JSONReader.Fields) throws(JSONError) {
        switch name {
        case "page":
            self = .page(
                window, try fields.required("side").choice(["older": .older, "newer": .newer]),
                count: try fields.optional("count")?.integer(in: 1...Limits.rowsPerPage) ?? 50)
        case "heights":
            let (from, to) = (try fields.required("from").integer(), try fields.required("to"))
            self = .heights(window, Int64(from)..<Int64(try to.integer(in: from ... .max)))
        case "rows":
            let rows = try fields.required("rows")
            guard try rows.elements().count <= Limits.rowsPerPage else {
                throw rows.mismatch(expected: "at most \(Limits.rowsPerPage) rows")
            }
            var numbers: [MessageNumber] = []
            for row in try rows.elements() { numbers.append(MessageNumber(try row.wide())) }
            self = .rows(window, numbers)
        case "lines":
            let mark = try fields.required("mark").mark()
            let from = try fields.required("from").integer(in: 0...Limits.linesPerRow)
            let to = try fields.required("to").integer(in: from...Limits.linesPerRow)
            let row = MessageNumber(try fields.required("row").wide())
            self = .lines(window, WantedLines(row: row, mark: mark, lines: from..<to))
        case "locate": self = .locate(window, y: try fields.required("y").wide())
        case "position": self = .position(window, try fields.required("message").name())
        case "changes": self = .changes(window, since: try WindowCursor(fields.required("since")))
        case "resize":
            self = .resize(
                window, try fields.required("target").target(), screen: try fields.required("screen").screen(),
                try fields.optional("anchor").map { (anchor) throws(JSONError) in try WindowAnchor(anchor) })
        case "adjust":
            let focus = try fields.required("focus")
            guard let thousandths = try focus.number().scaled(by: 1000), 0...1000 ~= thousandths else {
                throw focus.mismatch(expected: "0...1 in steps of 0.001")
            }
            self = .adjust(
                window, maxCount: try fields.required("most").integer(in: 1...Limits.rowsPerWindow),
                focus: thousandths)
        case "hold":
            let list = try fields.required("anchors")
            guard try list.elements().count <= Limits.anchorsPerWindow else {
                throw list.mismatch(expected: "at most \(Limits.anchorsPerWindow) anchors")
            }
            var anchors: [WindowAnchor] = []
            for anchor in try list.elements() { anchors.append(try WindowAnchor(anchor)) }
            self = .hold(window, anchors)
        case "preview":
            let draft = try fields.required("draft")
            _ = try draft.object()
            var json = JSONWriter()
            json.value(draft.value)
            guard json.bytes.count <= Limits.draft else {
                throw draft.mismatch(expected: "at most \(Limits.draft) bytes")
            }
            self = .preview(window, MessageDraft(json.bytes))
        case "busy": self = .busy(window, try fields.required("is").bool())
        case "read": self = .read(window, from: try fields.optional("from")?.wide())
        default: self = .close(window)
        }
    }
}
