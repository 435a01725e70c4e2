import Wire

/// What is said in JSON, each under its name. `Windows.md` and `Ingest.md` tell what it means.
extension OpenAPI {
    static let shapes: [(name: String, shape: JSONShape)] = service + answers + told + rows + spoken + events

    private static let service: [(name: String, shape: JSONShape)] = [
        (
            "Problem",
            .object(
                [("type", .text()), ("title", .text()), ("status", .integer), ("detail", .text())],
                optional: ["detail"])
        ),
        (
            "Health",
            .object([
                ("status", .word(["ok", "degraded", "waiting"])), ("checks", .table(.bool)),
                ("reasons", .table(.text())),
            ])
        ),
        (
            "Font",
            .object(
                [
                    ("family", .text()), ("weight", .integer), ("italic", .bool), ("emoji", .bool),
                    ("monospaced", .bool), ("index", .integer), ("hash", .text(pattern: "^[0-9a-f]{64}$")),
                ], optional: ["weight"])
        ),
    ]

    /// Answers to requests, each an object of one member that names it.
    private static let answers: [(name: String, shape: JSONShape)] = [
        ("WindowAnswer", .either([word("window"), word("rows")])), ("HeightsAnswer", word("heights")),
        ("PlaceAnswer", .either([word("place"), word("pending"), word("unavailable")])),
        (
            "Sent",
            .object(
                [("event", .text()), ("id", .text()), ("data", .carrying(.named("Told")))], optional: ["id"])
        ),
        (
            "Told",
            .either(
                [
                    "window", "heights", "rows", "place", "changes", "adjusted", "done", "refused", "pending",
                    "unavailable", "unreadable",
                ].map(word))
        ),
    ]

    /// An object of one member, whose shape has the same name with a capital.
    private static func word(_ name: String) -> JSONShape {
        .object([(name, .named(name.prefix(1).uppercased() + name.dropFirst()))])
    }

    private static let window = ("window", JSONShape.number(0...Int(UInt32.max)))
    private static let cursor = ("cursor", JSONShape.named("Cursor"))
    private static let at = JSONShape.number(0 ... .max)

    /// Where a window stands: what `Window` and `Changes` have in common.
    private static let frame: [(name: String, shape: JSONShape)] = [
        cursor, ("edition", .text()), ("isOld", .bool), ("hasOlder", .bool), ("hasNewer", .bool), ("rowsAbove", at),
        ("rowsBelow", at), ("top", .integer), ("extent", .list(.integer, count: 2)),
    ]

    private static let told: [(name: String, shape: JSONShape)] = [
        ("Cursor", .list(.integer, count: 3)),
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
                    ), ("rows", .list(.named("Row"))),
                ], optional: ["isOld", "firstVisible"])
        ),
        (
            "Heights",
            .object([window, cursor, ("rank", at), ("top", .integer), ("heights", .list(.integer))])
        ),
        ("Rows", .object([window, ("rows", .list(.named("Row")))])),
        ("Place", .object([window, cursor, ("rank", at), ("top", .integer), ("row", .named("Row"))])),
        (
            "Changes",
            .object(
                [window, ("since", .named("Cursor"))] + frame + [
                    (
                        "anchors",
                        .list(.object([("anchor", .named("Anchor")), ("delta", .integer)]))
                    ), ("changes", .list(.named("Change"))),
                ], optional: ["isOld"])
        ),
        (
            "Change",
            .either(
                [
                    [("insert", at), ("rows", .list(.named("Row")))], [("remove", at), ("count", at)],
                    [("replace", at), ("rows", .list(.named("Row"), count: 1))],
                    [("move", at), ("to", at), ("rows", .list(.named("Row"), count: 1))],
                    [("redecorate", at), ("rows", .list(.named("Row"), count: 1))],
                ].map { kind in
                    .object(
                        kind + [
                            ("heightDelta", .integer), ("class", .word(ChangeClass.allCases.map { "\($0)" })),
                            ("reason", .named("Reason")),
                        ])
                })
        ),
        ("Reason", .word(ChangeReason.allCases.map { "\($0)" })),
        (
            "Adjusted",
            .object([window, ("adjusted", .bool), ("changes", .named("Changes"))], optional: ["changes"])
        ),
        ("Done", .object([window])),
        ("Refused", .object([window, ("because", .word(WindowRefusal.allCases.map { "\($0)" }))])),
        ("Pending", .object([window, ("message", .text()), ("order", .integer)])),
        ("Unavailable", .object([window, ("message", .text()), ("order", .integer)])),
        ("Unreadable", .object([("because", .text())])),
    ]

    private static let rectangle = JSONShape.list(.integer, count: 4)

    private static let rows: [(name: String, shape: JSONShape)] = [
        (
            "Row",
            .object(
                [
                    ("row", .integer), ("message", .text()), ("order", .integer), ("height", .integer),
                    ("lead", .integer), ("strip", .integer), ("edition", .text()), ("decoration", .named("Decoration")),
                    ("excerpt", .named("Excerpt")), ("layout", .named("Layout")), ("expanded", .named("Layout")),
                    ("said", .named("Message")),
                ], optional: ["edition", "decoration", "excerpt", "layout", "expanded", "said"])
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
            .object([("mark", .text(pattern: "^[0-9a-f]{16}$")), ("from", at), ("to", at), ("of", at)])
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
                    ("action", .text()), ("priority", .integer), ("text", .named("Text")),
                    ("fill", .list(.integer, count: 2)), ("crop", rectangle), ("bars", .list(.integer)),
                ],
                optional: [
                    "parent", "corners", "radius", "clips", "opaque", "overlaid", "token", "source", "action",
                    "priority", "text", "fill", "crop", "bars",
                ])
        ),
        (
            "Text",
            .object(
                [
                    ("literal", .text()), ("pieces", .list(.list(.integer, count: 2))), ("alignment", .text()),
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
                ], optional: ["literal", "pieces", "alignment", "looks", "entities"])
        ),
        (
            "Line",
            .object(
                [
                    ("start", at), ("end", at), ("left", .integer), ("top", .integer), ("baseline", .integer),
                    ("width", .integer), ("direction", .word(["ltr", "rtl"])),
                    ("ends_with", .word(["hyphen", "ellipsis"])),
                ], optional: ["ends_with"])
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

    private static let name = JSONShape.text(pattern: "^[^\\x00-\\x1f\\x7f]{1,255}$")
    private static let screen = JSONShape.number(0...Int(Limits.screen))
    private static let count = JSONShape.number(1...Limits.rowsPerPage)

    /// What is posted to a stream.
    private static let spoken: [(name: String, shape: JSONShape)] = [
        (
            "Word",
            .either([
                said("page", [("side", .word(["older", "newer"])), ("count", count)], optional: ["count"]),
                said("heights", [("from", .integer), ("to", .integer)]),
                said("rows", [("rows", .list(.integer))]),
                said(
                    "lines",
                    [("row", .integer), ("mark", .text(pattern: "^[0-9a-f]{16}$")), ("from", at), ("to", at)]),
                said("locate", [("y", .integer)]), said("position", [("message", name)]),
                said("changes", [("since", .named("Cursor"))]),
                said(
                    "resize", [("target", .named("Target")), ("screen", screen), ("anchor", .named("Anchor"))],
                    optional: ["anchor"]),
                said("adjust", [("most", .number(1...Limits.rowsPerWindow)), ("focus", .decimal)]),
                said("hold", [("anchors", .list(.named("Anchor")))]), said("busy", [("is", .bool)]),
                said("read", [("from", .integer)], optional: ["from"]),
                .object([("prewarm", .object([("conversation", name), ("targets", .list(.named("Target")))]))]),
                said("close", []),
            ])
        ),
        (
            "Target",
            .object(
                [
                    ("width", .decimal), ("scale", .decimal), ("textScale", .number(25...400)), ("mirrored", .bool),
                ], optional: ["textScale", "mirrored"])
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
    ) -> JSONShape {
        .object([(word, .object([window] + fields, optional: optional))])
    }

    private static let events: [(name: String, shape: JSONShape)] = [
        (
            "Events",
            .either([
                .object(
                    [
                        ("events", .list(.named("Event"))), ("lane", .word(["live", "backfill"])), ("subject", name),
                    ], optional: ["lane", "subject"]), .named("Event"),
            ])
        ),
        (
            "Event",
            .object(
                [
                    ("conversation", name), ("message", name), ("clientID", name), ("revision", at), ("sender", name),
                    ("time", .number(Int(Limits.milliseconds.lowerBound)...Int(Limits.milliseconds.upperBound))),
                    ("body", .named("Body")), ("text", .text()), ("order", .integer), ("status", .anything),
                    ("reactions", .anything),
                    (
                        "react",
                        .object(
                            [("reader", name), ("emoji", .list(name)), ("options", .list(name))],
                            optional: ["reader", "emoji", "options"])
                    ), ("deleted", .bool),
                ],
                optional: Set(MessageEvent.fields).subtracting(["conversation", "message"]))
        ),
        ("Body", .object([("kind", .text())], isOpen: true)),
        (
            "Answers",
            .object([("answers", .list(.named("Answer"))), ("limits", .named("Limits"))], optional: ["limits"])
        ),
        (
            "Answer",
            .either([
                .object([("answer", .word(["accepted"])), ("warning", .text())], optional: ["warning"]),
                .object([("answer", .word(["duplicate", "superseded"]))]),
                .object([("answer", .word(["invalid"])), ("field", .text()), ("reason", .text())]),
                .object(
                    [("answer", .word(["busy"])), ("retryAfter", at), ("reason", .text())], optional: ["reason"]),
            ])
        ),
        ("Fault", .object([("error", .text()), ("limits", .named("Limits"))], optional: ["limits"])),
        ("Limits", .object([("events", at), ("bytes", at)])),
    ]
}
