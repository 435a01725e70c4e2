/// A part of a text that can be acted on. It is found once, at measuring time; layouts only turn its range into
/// rectangles.
package struct Entity: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case url, email, phone, mention, hashtag, command
    }

    package var kind: Kind
    /// UTF-16 range.
    package var start: Int32
    package var end: Int32

    package init(kind: Kind, start: Int32, end: Int32) {
        self.kind = kind
        self.start = start
        self.end = end
    }
}
