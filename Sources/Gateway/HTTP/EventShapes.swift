import Wire

/// The shapes of events in JSON, and of the answers to them; `Ingest.md` tells what they mean.
enum EventShapes {
    private static let (name, at) = (OpenAPI.name, OpenAPI.at)

    static let all: [(name: String, shape: JSONShape)] = [
        ("Events", .either([.named("EventBatch"), .named("Event")])),
        (
            "EventBatch",
            .object(
                [("events", .list(.named("Event"))), ("lane", .word(["live", "backfill"])), ("subject", name)],
                optional: ["lane", "subject"])
        ),
        ("Event", .either([.named("MessageEvent"), .named("ConversationEvent")])),
        ("MessageEvent", message(optional: Set(MessageEvent.fields).subtracting(["conversation", "message"]))),
        // Fields that a draft leaves out are taken from the window in which it is written.
        ("Draft", message(optional: Set(MessageEvent.fields), without: ["react", "deleted"])),
        (
            "ConversationEvent",
            .object(
                [
                    ("conversation", name), ("revision", at), ("title", .text()), ("picture", .anything),
                    ("read", .named("ReadMark")),
                ], optional: ["revision", "title", "picture", "read"])
        ),
        (
            "ReadMark",
            .either([
                .object([("reader", name), ("order", .integer)], optional: ["reader"]),
                .object([("reader", name), ("message", name)], optional: ["reader"]),
            ])
        ),
        ("Body", .object([("kind", .text())], isOpen: true)),
        (
            "Answers",
            .object([("answers", .list(.named("Answer"))), ("limits", .named("Limits"))], optional: ["limits"])
        ),
        ("Answer", .either(["Accepted", "Repeated", "Invalid", "Busy"].map { .named($0) })),
        ("Accepted", .object([("answer", .word(["accepted"])), ("warning", .text())], optional: ["warning"])),
        ("Repeated", .object([("answer", .word(["duplicate", "superseded"]))])),
        ("Invalid", .object([("answer", .word(["invalid"])), ("field", .text()), ("reason", .text())])),
        (
            "Busy",
            .object([("answer", .word(["busy"])), ("retryAfter", at), ("reason", .text())], optional: ["reason"])
        ),
        ("Fault", .object([("error", .text()), ("limits", .named("Limits"))], optional: ["limits"])),
        ("Limits", .object([("events", at), ("bytes", at)])),
    ]

    private static func message(optional: Set<String>, without left: Set<String> = []) -> JSONShape {
        let fields: [(name: String, shape: JSONShape)] = [
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
        ]
        return .object(fields.filter { !left.contains($0.name) }, optional: optional.subtracting(left))
    }
}
