package import MessageLayout

/// What the decoration of a row, or of its neighbours, has to know about it.
package struct RowFacts: Hashable, Sendable {
    package var sender: SenderNumber
    /// Its place in the conversation: never lower than that of the row before.
    package var order: Int64
    /// When it was sent: since 1970, in universal time.
    package var milliseconds: Int64
    /// The name of its row template, which its kind declares.
    package var template: String
    /// Whether its kind takes part in series: a message does, an event line does not.
    package var joinsSeries: Bool
    package var hasFailed: Bool
    package var sizes: ContentSizes

    package init(
        sender: SenderNumber, order: Int64, milliseconds: Int64, template: String, joinsSeries: Bool = true,
        hasFailed: Bool = false, sizes: ContentSizes
    ) {
        self.sender = sender
        self.order = order
        self.milliseconds = milliseconds
        self.template = template
        self.joinsSeries = joinsSeries
        self.hasFailed = hasFailed
        self.sizes = sizes
    }
}

/// A sender, numbered by whoever holds the rows: all that decorations ask is whether two are the same.
package struct SenderNumber: Hashable, Sendable {
    package var value: UInt64
    package init(_ value: UInt64) { self.value = value }
}
