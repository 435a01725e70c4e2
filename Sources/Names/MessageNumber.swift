/// The place of a message in the journal, for ever. It names the row in the cache, whatever the message's id becomes.
package struct MessageNumber: Hashable, Comparable, Sendable {
    package var number: Int64
    package init(_ number: Int64) { self.number = number }
    package static func < (a: MessageNumber, b: MessageNumber) -> Bool { a.number < b.number }
}
