import Glibc

/// The conversations that a token is for.
package enum TokenScope: Hashable, Sendable {
    case all
    case conversation(String)
    /// All conversations whose identifiers begin with these bytes.
    case prefix(String)

    package func covers(_ conversation: String) -> Bool {
        switch self {
        case .all: true
        // Compared by bytes: letters that Unicode calls equal make different identifiers.
        case .conversation(let name): conversation.utf8.elementsEqual(name.utf8)
        case .prefix(let start): conversation.utf8.starts(with: start.utf8)
        }
    }
}

/// The rights that a token gives its bearer.
package struct TokenRights: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = TokenRights(rawValue: 1)
    package static let write = TokenRights(rawValue: 2)
    /// The right to write for everybody. Without it, a bearer with a subject writes messages of that sender alone.
    package static let backend = TokenRights(rawValue: 4)
    static let known: TokenRights = [.read, .write, .backend]
}

/// Seconds since 1970, until the year 2106.
package struct TokenTime: Hashable, Comparable, Sendable {
    package let seconds: UInt32
    package init(seconds: UInt32) { self.seconds = seconds }
    /// The moment of the machine's clock.
    package static var now: TokenTime { TokenTime(seconds: UInt32(clamping: time(nil))) }
    package static func < (one: TokenTime, other: TokenTime) -> Bool { one.seconds < other.seconds }
    package static func + (time: TokenTime, duration: Duration) -> TokenTime {
        TokenTime(seconds: UInt32(clamping: Int64(time.seconds) &+ duration.components.seconds))
    }
}
