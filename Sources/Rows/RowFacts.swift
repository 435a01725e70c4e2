package import MessageLayout

/// The facts about a row that its decoration, or a neighbour's, depends on.
package struct RowFacts: Hashable, Sendable {
    package var sender: SenderNumber
    /// Its place in the conversation: never lower than that of the row before.
    package var order: Int64
    /// The time when it was sent: since 1970, in universal time.
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

/// The number of a sender, given by the holder of the rows: decorations ask only whether two are the same.
package struct SenderNumber: Hashable, Sendable {
    package var value: UInt64
    package init(_ value: UInt64) { self.value = value }
}
