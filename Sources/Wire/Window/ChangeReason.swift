/// Why rows came, went, or are others: what a client animates, and what not.
package enum ChangeReason: UInt8, CaseIterable, Sendable {
    /// Somebody has just written, or taken back.
    case live = 1
    case firstLoad
    case pagination
    /// Another revision of a message.
    case edit
    /// Another style, or another screen.
    case style
    /// A window was made smaller; the conversation is what it was.
    case trim
}

/// What is different about a row.
package enum ChangeClass: UInt8, CaseIterable, Comparable, Sendable {
    case equal = 0
    /// How it looks, and nothing about where anything stands.
    case appearance
    case geometry

    package static func < (a: ChangeClass, b: ChangeClass) -> Bool { a.rawValue < b.rawValue }
}
