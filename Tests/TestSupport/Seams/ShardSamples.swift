import Names
package import Pool
import Wire

/// Rows and changes that mean nothing, but can be told apart.
package enum ShardSample {
    package static func row(
        order: Int64, key: String, layout: [UInt8] = [1, 2, 3], measured: [UInt8] = [4, 5], heights: [UInt8] = [],
        revision: UInt64 = 1
    ) throws -> ShardRow {
        ShardRow(
            facts: try facts(order: order, revision: revision), role: RowRole(template: "message", joinsSeries: true),
            key: Array(key.utf8), layout: layout, measured: measured, heights: heights)
    }

    package static func facts(order: Int64, revision: UInt64 = 1, status: String? = nil) throws -> StoredFacts {
        StoredFacts(
            order: order, sender: try SenderID("ada"), time: Timestamp(milliseconds: 1_700_000_000_000 + order),
            revision: Revision(revision), status: status.map { Array($0.utf8) })
    }

    /// A change of the message that has the number, under the id of the same number.
    package static func change(
        _ number: Int64, job: UInt64, conversation: String = "c", message: String? = nil, _ row: ShardChange.Row
    ) throws -> ShardChange {
        ShardChange(
            job: JobNumber(job), message: MessageNumber(number), conversation: try ConversationID(conversation),
            messageID: try MessageID(message ?? "m\(number)"), row: row)
    }

    /// A first layout.
    package static func laidOut(
        _ number: Int64, job: UInt64, conversation: String = "c", message: String? = nil, order: Int64? = nil,
        key: String? = nil, layout: [UInt8] = [1, 2, 3], heights: [UInt8] = []
    ) throws -> ShardChange {
        try change(
            number, job: job, conversation: conversation, message: message,
            .laidOut(row(order: order ?? number, key: key ?? "k\(job)", layout: layout, heights: heights)))
    }
}
