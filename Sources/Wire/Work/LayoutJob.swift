package import Bytes
package import Names

/// One thing to do in one shard. Numbers of a shard rise by one with every change of a message in it, so that the
/// newer of two jobs of a message is the one with the higher number, and "everything up to" is one number.
package struct LayoutJob: Equatable, Sendable {
    package var number: JobNumber
    package var message: MessageNumber
    package var conversation: ConversationID
    package var messageID: MessageID
    package var work: Work

    package enum Work: Equatable, Sendable {
        indirect case layOut(MessageState)
        /// The content is no longer kept, so the layout stays; the row moves, or has another status.
        case amend(order: Int64, status: [UInt8]?)
        /// The row goes; a tombstone tells readers.
        case remove
    }

    package init(
        number: JobNumber, message: MessageNumber, conversation: ConversationID, messageID: MessageID, work: Work
    ) {
        (self.number, self.message, self.work) = (number, message, work)
        (self.conversation, self.messageID) = (conversation, messageID)
    }
}

package struct JobNumber: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: JobNumber, b: JobNumber) -> Bool { a.number < b.number }
    package static let zero = JobNumber(0)
}

/// The state of a message's registers: all that its row is made of.
package struct MessageState: Equatable, Sendable {
    package var order: Int64
    package var body: MessageBody
    package var status: [UInt8]?
    package var reactions: [UInt8]?
    /// The revision of the body.
    package var revision: Revision
    /// Whether no row of the message can be there yet. A hint that spares the lookup.
    package var isFirst: Bool
    /// Whether the row that is there may be wrong although its key is right: it is made again, beside the folder.
    /// Never kept.
    package var isDoubted = false

    package init(
        order: Int64, body: MessageBody, status: [UInt8]? = nil, reactions: [UInt8]? = nil, revision: Revision,
        isFirst: Bool = false
    ) {
        (self.order, self.body, self.status, self.reactions) = (order, body, status, reactions)
        (self.revision, self.isFirst) = (revision, isFirst)
    }
}

extension LayoutJob.Work {
    /// The revision of the body that the job lays out; nil for other work.
    package var revision: Revision? { if case .layOut(let state) = self { state.revision } else { nil } }
}

/// The reason why a message cannot be laid out: a sentence for its author, cut at the limit.
package struct Objection: Error, Hashable, Sendable {
    package let text: String

    /// UTF-8 takes four bytes for a scalar at most.
    package init(_ text: String) { self.text = String(text.unicodeScalars.prefix(Limits.objection / 4)) }
}

/// The end of one job.
package struct LayoutResult: Equatable, Sendable {
    package var job: JobNumber
    package var outcome: Outcome

    package enum Outcome: Equatable, Sendable {
        /// The row is in the shard, under the stamp of the report.
        case stored
        /// Not done, and not the job's fault: the disk is full, or the worker leaves.
        case returned
        /// The style has no layout for such a message, and will have none however often it is asked.
        case refused(Objection)
    }

    package init(job: JobNumber, outcome: Outcome) {
        (self.job, self.outcome) = (job, outcome)
    }
}

extension JobNumber: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { number = try reader.integer() }
}

extension LayoutJob: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(number)
        writer.value(message)
        writer.value(conversation)
        writer.value(messageID)
        switch work {
        case .remove: writer.integer(0 as UInt8)
        case .layOut(let state):
            writer.integer(1 as UInt8)
            writer.value(state)
        case .amend(let order, let status):
            writer.integer((status == nil ? 2 : 3) as UInt8)
            writer.integer(order)
            if let status { writer.block(status) }
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        number = try reader.value()
        message = try reader.value()
        conversation = try reader.value()
        messageID = try reader.value()
        switch try reader.integer(UInt8.self) {
        case 0: work = .remove
        case 1: work = .layOut(try reader.value())
        case 2: work = .amend(order: try reader.integer(), status: nil)
        case 3:
            work = .amend(
                order: try reader.integer(), status: Array(try reader.block(atMost: Limits.status, of: "status")))
        case let code: throw .unknownCase(code, of: "work")
        }
    }
}

extension MessageState: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        let flags: UInt8 =
            (status == nil ? 0 : 1) | (reactions == nil ? 0 : 2) | (isFirst ? 4 : 0) | (isDoubted ? 8 : 0)
        writer.integer(flags)
        writer.integer(order)
        writer.value(revision)
        writer.value(body)
        if let status { writer.block(status) }
        if let reactions { writer.block(reactions) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let flags = try reader.integer(UInt8.self)
        guard flags < 16 else { throw .unknownCase(flags, of: "state") }
        order = try reader.integer()
        revision = try reader.value()
        body = try reader.value()
        status = flags & 1 == 0 ? nil : Array(try reader.block(atMost: Limits.status, of: "status"))
        reactions = flags & 2 == 0 ? nil : Array(try reader.block(atMost: Limits.reactions, of: "reactions"))
        isFirst = flags & 4 != 0
        isDoubted = flags & 8 != 0
    }
}

extension LayoutResult: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(job)
        switch outcome {
        case .stored: writer.integer(1 as UInt8)
        case .returned: writer.integer(2 as UInt8)
        case .refused(let objection):
            writer.integer(3 as UInt8)
            writer.text(objection.text)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        job = try reader.value()
        switch try reader.integer(UInt8.self) {
        case 1: outcome = .stored
        case 2: outcome = .returned
        case 3: outcome = .refused(Objection(try reader.text(atMost: Limits.objection, of: "objection")))
        case let code: throw .unknownCase(code, of: "outcome")
        }
    }
}
