package import Bytes
package import Names

/// A hint that rows have changed in the cache. It may be lost, so a reader looks for itself now and then.
package struct ReadyWord: Equatable, Sendable {
    package var edition: EditionID
    package var rows: [Row]

    /// One row that was laid out, moved or removed.
    package struct Row: Hashable, Sendable {
        package var conversation: ConversationID
        package var message: MessageID
        /// The revision of the body that was laid out; nil where the row only moved, or went.
        package var revision: Revision?
        package var shard: Shard
        package var stamp: Stamp

        package init(
            conversation: ConversationID, message: MessageID, revision: Revision?, shard: Shard, stamp: Stamp
        ) {
            (self.conversation, self.message, self.revision) = (conversation, message, revision)
            (self.shard, self.stamp) = (shard, stamp)
        }
    }

    package init(edition: EditionID, rows: [Row]) {
        (self.edition, self.rows) = (edition, rows)
    }
}

extension ReadyWord: FramedWord {
    package static let family: UInt8 = 6

    package func write(to writer: inout ByteWriter) {
        writer.value(edition)
        writer.list(rows)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        edition = try reader.value()
        rows = try reader.list(atMost: Limits.jobsPerBatch)
    }
}

extension ReadyWord.Row: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(conversation)
        writer.value(message)
        writer.list(revision.map { [$0] } ?? [])
        writer.value(shard)
        writer.value(stamp)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        conversation = try reader.value()
        message = try reader.value()
        revision = try reader.list(of: Revision.self, atMost: 1).first
        shard = try reader.value()
        stamp = try reader.value()
    }
}
