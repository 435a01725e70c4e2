/// The shapes of lists of conversations in JSON; `Conversations.md` tells what they mean.
enum ListShapes {
    static let all: [(name: String, shape: JSONShape)] = [
        (
            "ConversationList",
            .object([("conversations", .list(.named("ListedConversation"))), ("next", .text())], optional: ["next"])
        ),
        (
            "SentList",
            .object([
                ("event", .word(["conversations", "changed", "refused"])),
                ("data", .carrying(.either([.named("ConversationList"), .named("ListRefused")]))),
            ])
        ),
        ("ListRefused", .object([("refused", .object([("because", .word(["unauthorized", "busy", "resync"]))]))])),
        (
            "ListedConversation",
            .object(
                [
                    ("conversation", .text()), ("title", .text()), ("picture", .anything), ("activity", .integer),
                    ("last", .named("LastMessage")), ("read", .integer),
                    ("unread", .number(0...ListedConversation.mostUnread)),
                ], optional: ["title", "picture", "activity", "last", "read", "unread"])
        ),
        (
            "LastMessage",
            .object(
                [
                    ("message", .text()), ("order", .integer), ("sender", .text()), ("time", .integer),
                    ("status", .anything), ("kind", .text()), ("words", .text()),
                ], optional: ["status", "kind", "words"])
        ),
    ]
}
