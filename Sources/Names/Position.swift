/// The place of a message in its conversation: by order, and by message where orders are equal.
package struct Position: Hashable, Comparable, Sendable {
    package var order: Int64
    package var message: MessageID

    package init(order: Int64, message: MessageID) {
        self.order = order
        self.message = message
    }

    package static func < (a: Position, b: Position) -> Bool {
        a.order == b.order ? a.message < b.message : a.order < b.order
    }
}
