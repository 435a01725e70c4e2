import Conversation
package import Wire

/// A message that is written and not posted.
public struct Draft: Hashable, Sendable {
    let draft: MessageDraft

    /// - Parameter json: an object with the fields of an event; conversation, message, sender and time may be left out.
    public init(json: String) { draft = MessageDraft(Array(json.utf8)) }

    public init(text: String) {
        draft = MessageDraft(Array(#"{"body":"#.utf8) + MessageEvent.plainText(text) + Array("}".utf8))
    }
}

/// The row that a draft would have as the newest message of its conversation.
public struct Preview: Sendable {
    /// The row. No message has its id. It stands behind the last row that the window knows.
    public let row: Row
    /// Rows of the window that would look different beside it.
    public let neighbours: [Row]
    package let reply: PreviewReply

    init(_ reply: PreviewReply, in window: Window) {
        self.reply = reply
        row = Row(reply.row, y: window.mirror?.frame.extent.upperBound ?? 0)
        neighbours = reply.neighbours.map { row in
            let place = window.mirror.flatMap { mirror in mirror.index(of: row.number).map { mirror.top(of: $0) } }
            return Row(row, y: place ?? 0)
        }
    }
}
