import Record
import Wire

/// The shapes of all JSON, each under its name. `Windows.md` and `Ingest.md` tell what they mean.
extension OpenAPI {
    static let shapes: [(name: String, shape: JSONShape)] =
        service + answers + told + changes + rows + ranges + sayings + spoken + EventShapes.all + ListShapes.all

    private static let service: [(name: String, shape: JSONShape)] = [
        (
            "Problem",
            .object(
                [
                    ("type", .text()), ("title", .text()), ("status", .integer), ("detail", .text()),
                    ("because", .word(WindowPages.absences.map { "\($0)" })),
                ], optional: ["detail", "because"])
        ),
        (
            "Health",
            .object([("status", .word(["ok", "degraded", "waiting"]))])
        ),
        (
            "Font",
            .object(
                [
                    ("family", .text()), ("weight", .integer), ("italic", .bool), ("emoji", .bool),
                    ("monospaced", .bool), ("languages", .list(.text())), ("instead", .text()), ("index", .integer),
                    ("hash", .text(pattern: "^[0-9a-f]{64}$")),
                    ("bytes", .integer), ("characters", .text(pattern: unicodeRange)),
                    ("slices", .list(.named("FontSlice"))),
                    ("licence", .text(pattern: "^/v1/fonts/[0-9a-f]{64}/licence$")),
                ], optional: ["weight", "languages", "instead", "slices", "licence"])
        ),
        (
            "FontSlice",
            .object([
                ("hash", .text(pattern: "^[0-9a-f]{64}$")), ("bytes", .integer),
                ("characters", .text(pattern: unicodeRange)),
            ])
        ), ("FontSettings", FontSettings.shape),
    ]

    private static let unicodeRange = "^(U[+][0-9A-F]+(-[0-9A-F]+)?(,|$))*$"

    private static let tellings = [
        "window", "heights", "rows", "place", "changes", "adjusted", "done", "refused", "pending", "unavailable",
        "preview", "rejected", "ranges", "unreadable",
    ]

    /// Answers to requests, each an object of one member that names it.
    private static let answers: [(name: String, shape: JSONShape)] =
        tellings.map { (telling($0), .object([($0, .named($0.capitalized))])) } + [
            ("WindowAnswer", told(["window", "rows"])),
            ("PlaceAnswer", told(["place", "pending", "unavailable"])),
            ("RangesAnswer", told(["ranges", "rows", "pending", "unavailable"])),
            (
                "Sent",
                .object(
                    [("event", .text()), ("id", .text()), ("data", .carrying(.named("Told")))], optional: ["id"])
            ), ("Told", told(tellings)),
        ]

    private static func telling(_ name: String) -> String { "Tell" + name.capitalized }

    /// One of these words.
    private static func told(_ names: [String]) -> JSONShape { .either(names.map { .named(telling($0)) }) }

    private static let window = ("window", JSONShape.number(0...Int(UInt32.max)))
    private static let cursor = ("cursor", JSONShape.named("Cursor"))
    static let at = JSONShape.number(0 ... .max)

    /// The place of a window: the members that `Window` and `Changes` have in common.
    private static let frame: [(name: String, shape: JSONShape)] = [
        cursor, ("edition", .text()), ("isOld", .bool), ("hasOlder", .bool), ("hasNewer", .bool), ("rowsAbove", at),
        ("rowsBelow", at), ("top", .integer), ("extent", .list(.integer, count: 2)),
    ]

    /// The files that rows name by their place.
    private static let fonts = ("fonts", JSONShape.list(.text(pattern: "^[0-9a-f]{64}$")))

    private static let told: [(name: String, shape: JSONShape)] = [
        ("Cursor", .list(.either([.integer, .text(pattern: "^[0-9]{1,20}$")]), count: 3)),
        (
            "Window",
            .object(
                [window, ("part", .word(["whole", "older", "newer"])), ("reason", .named("Reason"))] + frame + [
                    ("insertedAbove", .integer),
                    ("firstVisible", .object([("row", .integer), ("y", .integer)])), ("contentFits", .bool),
                    (
                        "prefetch",
                        .object(
                            [("olderAbove", .integer), ("newerBelow", .integer)],
                            optional: ["olderAbove", "newerBelow"])
                    ), fonts, ("rows", .list(.named("Row"))),
                ], optional: ["isOld", "firstVisible", "fonts"])
        ),
        (
            "Heights",
            .object([window, cursor, ("rank", at), ("top", .integer), ("heights", .list(.integer))])
        ),
        ("Rows", .object([window, fonts, ("rows", .list(.named("Row")))], optional: ["fonts"])),
        ("Place", .object([window, cursor, ("rank", at), ("top", .integer), ("row", .named("Row"))])),
        (
            "Changes",
            .object(
                [window, ("since", .named("Cursor"))] + frame + [
                    (
                        "anchors",
                        .list(.object([("anchor", .named("Anchor")), ("delta", .integer)]))
                    ), fonts, ("changes", .list(.named("Change"))),
                ], optional: ["isOld", "fonts"])
        ),
        ("Change", .either(changes.map { .named($0.name) })),
        ("Reason", .word(ChangeReason.allCases.map { "\($0)" })),
        (
            "Adjusted",
            .object([window, ("adjusted", .bool), ("changes", .named("Changes"))], optional: ["changes"])
        ),
        ("Done", .object([window])),
        ("Refused", .object([window, ("because", .word(WindowRefusal.allCases.map { "\($0)" }))])),
        ("Pending", .object([window, ("message", .text()), ("order", .integer)])),
        ("Unavailable", .object([window, ("message", .text()), ("order", .integer)])),
        (
            "Preview",
            .object(
                [window, cursor, fonts, ("row", .named("Row")), ("neighbours", .list(.named("Row")))],
                optional: ["fonts"])
        ),
        (
            "Rejected",
            .object(
                [
                    window, ("because", .word(["superseded", "forbidden", "invalid"])), ("field", .text()),
                    ("reason", .text()),
                ], optional: ["field", "reason"])
        ),
        ("Unreadable", .object([("because", .text())])),
    ]

    private static let changes: [(name: String, shape: JSONShape)] = [
        ("Inserted", changed([("insert", at), ("rows", .list(.named("Row")))])),
        ("Removed", changed([("remove", at), ("count", at)])),
        ("Replaced", changed([("replace", at), row])), ("Moved", changed([("move", at), ("to", at), row])),
        ("Redecorated", changed([("redecorate", at), row])),
    ]

    private static let row = ("rows", JSONShape.list(.named("Row"), count: 1))

    private static func changed(_ fields: [(name: String, shape: JSONShape)]) -> JSONShape {
        .object(
            fields + [
                ("heightDelta", .integer), ("class", .word(ChangeClass.allCases.map { "\($0)" })),
                ("reason", .named("Reason")),
            ])
    }

    private static let rectangle = JSONShape.list(.integer, count: 4)

    private static let rows: [(name: String, shape: JSONShape)] = [
        (
            "Row",
            .object(
                [
                    ("row", .integer), ("message", .text()), ("order", .integer), ("height", .integer),
                    ("lead", .integer), ("strip", .integer), ("edition", .text()), ("fonts", .list(at)),
                    ("decoration", .named("Decoration")),
                    ("excerpt", .named("Excerpt")), ("mark", mark), ("layout", .named("Layout")),
                    ("expanded", .named("Layout")), ("said", .named("Message")),
                ], optional: ["edition", "fonts", "decoration", "excerpt", "mark", "layout", "expanded", "said"])
        ),
        (
            "Decoration",
            .object(
                [
                    ("variant", .word(["own", "other", "otherWithName"])),
                    ("series", .word(["single", "first", "middle", "last"])), ("gapAbove", .integer),
                    ("gapBelow", .integer), ("content", rectangle), ("dateLine", rectangle),
                    ("day", .list(.integer, count: 3)), ("unreadLine", rectangle), ("avatar", rectangle),
                    ("failedIcon", rectangle), ("selectionHandle", rectangle), ("radii", rectangle), ("tail", .bool),
                ],
                optional: ["dateLine", "day", "unreadLine", "avatar", "failedIcon", "selectionHandle", "tail"])
        ),
        (
            "Excerpt",
            .object([("mark", mark), ("from", at), ("to", at), ("of", at)])
        ),
        (
            "Layout",
            .object([
                ("size", .list(.integer, count: 2)),
                ("rows", .object([("narrowest", .integer), ("widest", .either([.integer, .null]))])),
                ("natural_width", .integer), ("stamp", .text()), ("confidence", .list(.text())),
                ("nodes", .list(.named("Node"))),
                (
                    "reading",
                    .list(.object([("node", at), ("role", .text()), ("label", .text())], optional: ["label"]))
                ),
            ])
        ),
        (
            "Node",
            .object(
                [
                    ("node", at), ("part", .text()), ("role", .text()), ("parent", at), ("frame", rectangle),
                    ("pins", .list(.text())), ("corners", .list(.text())), ("radius", .integer), ("clips", .bool),
                    ("opaque", .bool), ("overlaid", .bool), ("token", .text()), ("source", .text()),
                    ("action", .text()), ("priority", .integer), ("about", .text()), ("text", .named("Text")),
                    ("fill", .list(.integer, count: 2)), ("crop", rectangle), ("bars", .list(.integer)),
                ],
                optional: [
                    "parent", "corners", "radius", "clips", "opaque", "overlaid", "token", "source", "action",
                    "priority", "about", "text", "fill", "crop", "bars",
                ])
        ),
        (
            "Text",
            .object(
                [
                    ("literal", .text()), ("generated", .text()), ("path", .text()), ("face", .named("Face")),
                    ("pieces", .list(.list(.integer, count: 2))), ("alignment", .text()),
                    ("font_size", .decimal), ("lines", .list(.named("Line"))),
                    ("looks", .list(.object([("start", at), ("end", at), ("look", .list(.text()))]))),
                    (
                        "entities",
                        .list(
                            .object(
                                [
                                    ("kind", .text()), ("start", at), ("end", at), ("target", .text()),
                                    ("frames", .list(rectangle)),
                                ], optional: ["target"]))
                    ),
                ], optional: ["literal", "generated", "path", "face", "pieces", "alignment", "looks", "entities"])
        ),
        ("Face", .object([("weight", .number(1...1000)), ("italic", .bool), ("monospaced", .bool)])),
        (
            "Line",
            .object(
                [
                    ("start", at), ("end", at), ("left", .integer), ("top", .integer), ("baseline", .integer),
                    ("width", .integer), ("direction", .word(["ltr", "rtl"])),
                    ("ends_with", .word(["hyphen", "ellipsis"])), ("begins_joined", .bool), ("ends_joined", .bool),
                    ("begins_in", .word(["ltr", "rtl", "arabic"])), ("ends_in", .word(["ltr", "rtl"])),
                    ("runs", .list(.named("Run"))),
                ], optional: ["ends_with", "begins_joined", "ends_joined", "begins_in", "ends_in", "runs"])
        ),
        (
            "Run",
            .object(
                [
                    ("start", at), ("end", at), ("font", at), ("level", at), ("x", .decimal), ("advance", .decimal),
                ], optional: ["font"])
        ),
        (
            "Message",
            .object(
                [
                    ("sender", .text()), ("time", .integer), ("revision", at), ("status", .anything),
                    ("reactions", .anything), ("body", .named("Body")),
                ], optional: ["status", "reactions"])
        ),
    ]

    private static let mark = JSONShape.text(pattern: "^[0-9a-f]{16}$")
    private static let unit = JSONShape.number(0...Int(Limits.unit))
    private static let point = JSONShape.list(.number(-Int(Limits.pixel)...Int(Limits.pixel)), count: 2)
    private static let fine = JSONShape.list(.decimal, count: 4)

    private static let questions: [(name: String, shape: JSONShape)] = [("row", .integer), ("message", name)]

    /// The shape of a question about the texts of a row, which the subject names.
    private static func asked(
        _ subject: (name: String, shape: JSONShape), in window: [(name: String, shape: JSONShape)] = []
    ) -> JSONShape {
        .object(
            window + [
                subject, ("mark", mark), ("expanded", .bool), ("texts", .list(.named("AskedText"))),
                ("points", .list(point)),
            ], optional: ["mark", "expanded", "texts", "points"])
    }

    private static func asked(ofText name: (name: String, shape: JSONShape)) -> JSONShape {
        .object(
            [name, ("ranges", .list(.list(unit, count: 2))), ("carets", .list(unit)), ("points", .list(point))],
            optional: ["ranges", "carets", "points"])
    }

    private static let ranges: [(name: String, shape: JSONShape)] = [
        ("RangesQuestion", .either([.named("RangesOfRow"), .named("RangesOfMessage")])),
        ("RangesOfRow", asked(questions[0])), ("RangesOfMessage", asked(questions[1])),
        ("AskedText", .either([.named("AskedPath"), .named("AskedNode")])),
        ("AskedPath", asked(ofText: ("path", .text()))), ("AskedNode", asked(ofText: ("node", unit))),
        (
            "Ranges",
            .object(
                [
                    window, cursor, ("edition", .text()), ("row", .integer), ("message", .text()), ("mark", mark),
                    ("texts", .list(.named("PlacedText"))), ("hits", .list(.named("PlacedHit"))),
                ], optional: ["hits"])
        ),
        (
            "PlacedText",
            .object(
                [
                    ("node", at), ("path", .text()), ("length", at), ("shown", at),
                    ("ranges", .list(.named("PlacedRange"))), ("carets", .list(.named("PlacedCaret"))),
                    ("hits", .list(.named("PlacedHit"))),
                ], optional: ["ranges", "carets", "hits"])
        ), ("PlacedRange", .object([("start", at), ("end", at), ("frames", .list(fine))])),
        (
            "PlacedCaret",
            .object(
                [
                    ("offset", at), ("hidden", .bool), ("downstream", .named("CaretPlace")),
                    ("upstream", .named("CaretPlace")),
                ], optional: ["hidden", "downstream", "upstream"])
        ),
        (
            "CaretPlace",
            .object([
                ("x", .decimal), ("top", .integer), ("height", .integer), ("direction", .word(["ltr", "rtl"])),
            ])
        ),
        (
            "PlacedHit",
            .object([
                ("node", at), ("offset", at), ("affinity", .word(["downstream", "upstream"])), ("start", at),
                ("end", at), ("inside", .bool),
            ])
        ),
    ]

    static let name = JSONShape.text(pattern: "^[^\\x00-\\x1f\\x7f]{1,255}$")
    private static let screen = JSONShape.number(0...Int(Limits.screen))
    private static let count = JSONShape.number(1...Limits.rowsPerPage)

    private static let sayings: [(name: String, shape: JSONShape)] = [
        said(
            "open",
            [
                ("conversation", name), ("target", .named("Target")), ("screen", screen), ("reader", .named("Reader")),
                ("around", .named("Around")), ("count", count), ("bodies", .bool), ("messages", .bool),
                ("rows", .number(1...Int(RowVersion.newest.rawValue))), ("fonts", .bool),
            ], optional: ["reader", "around", "count", "bodies", "messages", "rows", "fonts"]),
        said("page", [("side", .word(["older", "newer"])), ("count", count)], optional: ["count"]),
        said("heights", [("from", .integer), ("to", .integer)]), said("rows", [("rows", .list(.integer))]),
        said(
            "lines", [("row", .integer), ("mark", mark), ("from", at), ("to", at)]),
        said("locate", [("y", .integer)]), said("position", [("message", name)]),
        said("changes", [("since", .named("Cursor"))]),
        said(
            "resize", [("target", .named("Target")), ("screen", screen), ("anchor", .named("Anchor"))],
            optional: ["anchor"]),
        said("adjust", [("most", .number(1...Limits.rowsPerWindow)), ("focus", .decimal)]),
        said("hold", [("anchors", .list(.named("Anchor")))]), said("busy", [("is", .bool)]),
        said("read", [("from", .integer)], optional: ["from"]),
        (
            "SayPrewarm",
            .object([("prewarm", .object([("conversation", name), ("targets", .list(.named("Target")))]))])
        ), said("close", []), said("preview", [("draft", .named("Draft"))]),
        ("SayRanges", .object([("ranges", .either(questions.map { asked($0, in: [window]) }))])),
    ]

    /// The shapes of words that are posted to a stream.
    private static let spoken: [(name: String, shape: JSONShape)] = [
        ("Word", .either(sayings.map { .named($0.name) })),
        (
            "Target",
            .object(
                [
                    ("width", .decimal), ("scale", .decimal), ("textScale", .number(25...400)), ("mirrored", .bool),
                ], optional: ["textScale", "mirrored"])
        ),
        (
            "Reader",
            .object(
                [
                    ("own", name), ("unreadFrom", .integer), ("zone", .named("Zone")), ("clock", .word(["24", "12"])),
                    ("direct", .bool), ("selecting", .bool),
                ], optional: ["own", "unreadFrom", "zone", "clock", "direct", "selecting"])
        ),
        (
            "Zone",
            .object(
                [("offset", .number(-86400...86400)), ("changes", .list(.list(.integer, count: 2)))],
                optional: ["changes"])
        ),
        (
            "Around",
            .either([
                .word(["newest", "unread"]), .object([("message", name)]), .object([("date", .integer)]),
                .object([("y", .integer)]),
            ])
        ),
        (
            "Anchor",
            .object(
                [("row", .integer), ("edge", .word(["top", "bottom"])), ("offset", .integer)],
                optional: ["edge", "offset"])
        ),
    ]

    private static func said(
        _ word: String, _ fields: [(name: String, shape: JSONShape)], optional: Set<String> = []
    ) -> (name: String, shape: JSONShape) {
        ("Say" + word.capitalized, .object([(word, .object([window] + fields, optional: optional))]))
    }
}

extension String {
    /// The text with a large first letter.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
