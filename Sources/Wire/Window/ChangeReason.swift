/// The reason why rows came, went or changed, by which a client decides what to animate.
package enum ChangeReason: UInt8, CaseIterable, Sendable {
    /// Somebody has just written a message, or taken one back.
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

/// The difference between a row before and after a change.
package enum ChangeClass: UInt8, CaseIterable, Comparable, Sendable {
    case equal = 0
    /// Only the look of the row: everything stands where it was.
    case appearance
    case geometry

    package static func < (a: ChangeClass, b: ChangeClass) -> Bool { a.rawValue < b.rawValue }
}
