/// The place of a message in the journal, for ever: what its row in the cache is named by, whatever its id becomes.
package struct MessageNumber: Hashable, Comparable, Sendable {
    package var number: Int64
    package init(_ number: Int64) { self.number = number }
    package static func < (a: MessageNumber, b: MessageNumber) -> Bool { a.number < b.number }
}
