/// What became of the events of one post. All of them are on disk when it is sent.
package struct Receipt: Equatable, Sendable {
    /// New to the journal.
    package var accepted: UInt32
    /// Known already, with the same bytes.
    package var repeated: UInt32

    package init(accepted: UInt32, repeated: UInt32) {
        self.accepted = accepted
        self.repeated = repeated
    }
}

/// Why a request was not done. Nothing of it was: a producer may send the whole request again.
package enum Refusal: UInt8, CaseIterable, Error, Sendable {
    /// As much is waiting as may wait; try again soon.
    case busy = 1
    /// A revision came again with other bytes. Raise the revision of an edit.
    case conflict = 2
    /// The frame could not be read, or says what this socket does not take.
    case malformed = 3
    /// The cache could not be read just now.
    case unavailable = 4
    /// Messages of the page are not laid out for the target and variant; the style says what is prepared.
    case unprepared = 5
}

/// One message whose layouts have reached the cache.
package struct Readiness: Hashable, Sendable {
    package var conversation: ConversationID
    package var message: MessageID
    package var revision: UInt32

    package init(conversation: ConversationID, message: MessageID, revision: UInt32) {
        self.conversation = conversation
        self.message = message
        self.revision = revision
    }
}

extension Receipt: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(accepted)
        writer.integer(repeated)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        accepted = try reader.integer()
        repeated = try reader.integer()
    }
}

extension Refusal: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(rawValue) }
    package init(from reader: inout ByteReader) throws(WireError) {
        let code = try reader.integer(UInt8.self)
        guard let refusal = Refusal(rawValue: code) else { throw .unknownCase(code, of: "refusal") }
        self = refusal
    }
}

extension Readiness: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(conversation)
        writer.value(message)
        writer.integer(revision)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        conversation = try reader.value()
        message = try reader.value()
        revision = try reader.integer()
    }
}
