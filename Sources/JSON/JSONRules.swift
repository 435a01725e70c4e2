/// The dialect of a text: JSON as RFC 8259 has it, or JSON5 for files that people edit.
///
/// JSON5 adds comments, trailing commas, unquoted keys (of ASCII letters), single quotes, hexadecimal, `+1`, `.5`
/// and `5.`. Infinity and NaN stay out: nothing here has a use for them.
package enum JSONDialect: Hashable, Sendable {
    case json
    case json5
}

/// The treatment of `\ud800` without its other half, which no Unicode string can hold.
package enum LoneSurrogates: Hashable, Sendable {
    case refused
    case replaced  // by U+FFFD, as browsers do
}

/// The limits at which parsing stops.
package struct JSONLimits: Hashable, Sendable {
    package static let deepest = 512

    package var depth: Int
    package var bytes: Int
    package var stringBytes: Int
    package var members: Int

    /// `depth` counts arrays and objects within each other, at most `deepest`, so that a thread's stack is enough;
    /// `stringBytes` the UTF-8 of one string or key; `members` those of one array or object.
    package init(
        depth: Int = 64, bytes: Int = 64 << 20, stringBytes: Int = 16 << 20, members: Int = 1 << 20
    ) {
        precondition((0...Self.deepest).contains(depth))
        (self.depth, self.bytes, self.stringBytes, self.members) = (depth, bytes, stringBytes, members)
    }
}
