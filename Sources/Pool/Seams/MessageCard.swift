package import Names
package import Wire

/// The place of an event in the journal's log.
package struct LogPosition: Hashable, Comparable, Sendable {
    package var number: Int64
    package init(_ number: Int64) { self.number = number }
    package static func < (a: LogPosition, b: LogPosition) -> Bool { a.number < b.number }
}

/// The key by which a backend names a message.
package struct MessageKey: Hashable, Sendable {
    package var conversation: ConversationID
    package var message: MessageID
    package init(_ conversation: ConversationID, _ message: MessageID) {
        (self.conversation, self.message) = (conversation, message)
    }
}

/// The journal's memory under a key.
package enum CardEntry: Equatable, Sendable {
    case message(MessageCard)
    /// A client's own id of a message that the backend calls otherwise. Where each had a row before they turned out
    /// to be the same, `absorbed` is the one that goes.
    case alias(of: MessageID, absorbed: AbsorbedRow? = nil)
}

/// A row that another took the place of, and the job that removes it.
package struct AbsorbedRow: Equatable, Sendable {
    package var number: MessageNumber
    package var removal: JobNumber
    package init(number: MessageNumber, removal: JobNumber) { (self.number, self.removal) = (number, removal) }
}

/// The journal's memory of a message besides the content of its body, which stays in the log.
///
/// It outlives content: tombstones and revisions are kept when bodies are long gone. A deleted message has no
/// register but its deletion.
package struct MessageCard: Equatable, Sendable {
    /// A register's value and its revision.
    package struct Register<Value: Equatable & Sendable>: Equatable, Sendable {
        package var revision: Revision
        package var value: Value
        package init(revision: Revision, value: Value) { (self.revision, self.value) = (revision, value) }
    }

    /// The body's place in the log, and a hash of its bytes that tells a repetition from a reused revision.
    package struct BodyPlace: Equatable, Sendable {
        package var at: LogPosition
        package var hash: UInt64
        package init(at: LogPosition, hash: UInt64) { (self.at, self.hash) = (at, hash) }
    }

    package let number: MessageNumber
    package var body: Register<BodyPlace>?
    package var order: Register<Int64>?
    package var status: Register<[UInt8]>?
    /// The reactions of all readers together, as a backend says them.
    package var reactions: Register<[UInt8]>?
    /// The readers' own choices, reactions and votes, in the order of their names.
    package var voices: [Voice] = []
    package var deletion: Revision?
    /// The newest job that it caused; nil while it has no row and never had one.
    package var lastJob: JobNumber?

    package init(number: MessageNumber) { self.number = number }
}
