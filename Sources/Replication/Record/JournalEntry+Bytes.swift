import Bytes
import MessageLayout
import Names
import Pool
import Wire

/// | | |
/// |---|---|
/// | event | as producers say it, and with the reader of its choices |
/// | 1 | lane |
/// | list | cards: key's message, entry |
/// | list | jobs: number, message, its id; 0 remove, 1 or 2 amend, 3 lay out the event's own body |
/// | 1, 8 | 1 and the time of activity, or 0 |
extension JournalEntry {
    static let most = 16

    func write(to writer: inout ByteWriter) {
        writer.value(event)
        writer.integer(lane.rawValue)
        writer.integer(UInt32(cards.count))
        for card in cards {
            writer.value(card.key.message)
            card.entry.write(to: &writer)
        }
        writer.integer(UInt32(jobs.count))
        for job in jobs { write(job, to: &writer) }
        writer.integer(activity == nil ? 0 : 1 as UInt8)
        if let activity { writer.integer(activity.milliseconds) }
    }

    init(from reader: inout ByteReader) throws(ByteError) {
        let event = try reader.value(MessageEvent.self)
        let code = try reader.integer(UInt8.self)
        guard let lane = Lane(rawValue: code) else { throw .unknownCase(code, of: "lane") }
        var cards: [CardChange] = []
        for _ in 0..<(try reader.integer(in: 0...UInt32(Self.most), of: "cards")) {
            let key = MessageKey(event.conversation, try reader.value())
            cards.append(CardChange(key: key, entry: try CardEntry(from: &reader)))
        }
        var jobs: [LayoutJob] = []
        for _ in 0..<(try reader.integer(in: 0...UInt32(Self.most), of: "jobs")) {
            jobs.append(try Self.job(of: event, from: &reader))
        }
        let activity = try reader.flag() ? Timestamp(milliseconds: try reader.integer()) : nil
        self.init(event: event, lane: lane, cards: cards, jobs: jobs, activity: activity)
    }

    /// - Precondition: a job that lays out has the event's own body.
    private func write(_ job: LayoutJob, to writer: inout ByteWriter) {
        writer.value(job.number)
        writer.value(job.message)
        writer.value(job.messageID)
        switch job.work {
        case .remove: writer.integer(0 as UInt8)
        case .amend(let order, let status):
            writer.integer(status == nil ? 1 : 2 as UInt8)
            writer.integer(order)
            if let status { writer.block(status) }
        case .layOut(let state):
            precondition(state.body == event.body)
            writer.integer(3 as UInt8)
            let hints: UInt8 =
                (state.status == nil ? 0 : 1) | (state.reactions == nil ? 0 : 2) | (state.isFirst ? 4 : 0)
            writer.integer(hints)
            writer.integer(state.order)
            writer.value(state.revision)
            if let status = state.status { writer.block(status) }
            if let reactions = state.reactions { writer.block(reactions) }
        }
    }

    private static func job(of event: MessageEvent, from reader: inout ByteReader) throws(ByteError) -> LayoutJob {
        let (number, message) = (try reader.jobNumber(), try reader.messageNumber())
        let id = try reader.value(MessageID.self)
        let work: LayoutJob.Work
        switch try reader.integer(UInt8.self) {
        case 0: work = .remove
        case 1: work = .amend(order: try reader.integer(), status: nil)
        case 2:
            let order = try reader.integer(Int64.self)
            work = .amend(order: order, status: Array(try reader.block(atMost: Limits.status, of: "status")))
        case 3: work = .layOut(try state(of: event, from: &reader))
        case let code: throw .unknownCase(code, of: "work")
        }
        return LayoutJob(
            number: number, message: message, conversation: event.conversation, messageID: id, work: work)
    }

    private static func state(of event: MessageEvent, from reader: inout ByteReader) throws(ByteError) -> MessageState {
        guard let body = event.body else { throw .empty("body") }
        let hints = try reader.integer(UInt8.self)
        guard hints < 8 else { throw .unknownCase(hints, of: "state") }
        let (order, revision) = (try reader.integer(Int64.self), try reader.value(Revision.self))
        let status = hints & 1 == 0 ? nil : Array(try reader.block(atMost: Limits.status, of: "status"))
        let reactions = hints & 2 == 0 ? nil : Array(try reader.block(atMost: Limits.reactions, of: "reactions"))
        return MessageState(
            order: order, body: body, status: status, reactions: reactions, revision: revision,
            isFirst: hints & 4 != 0)
    }
}

extension ConversationNote {
    func write(to writer: inout ByteWriter) {
        writer.value(conversation)
        switch said {
        case .card(let card):
            writer.integer(0 as UInt8)
            writer.integer(card.title == nil ? 0 : 1 as UInt8)
            if let title = card.title {
                writer.value(title.revision)
                writer.text(title.value)
            }
            writer.integer(card.picture == nil ? 0 : 1 as UInt8)
            if let picture = card.picture {
                writer.value(picture.revision)
                writer.block(picture.value)
            }
        case .read(let reader, let order):
            writer.integer(1 as UInt8)
            writer.value(reader)
            writer.integer(order)
        }
    }

    init(from reader: inout ByteReader) throws(ByteError) {
        let conversation = try reader.value(ConversationID.self)
        guard try reader.flag() else {
            var card = ConversationCard()
            if try reader.flag() {
                card.title = MessageCard.Register(
                    revision: try reader.value(), value: try reader.text(atMost: Limits.title, of: "title"))
            }
            if try reader.flag() {
                card.picture = MessageCard.Register(
                    revision: try reader.value(),
                    value: Array(try reader.block(atMost: Limits.picture, of: "picture")))
            }
            self.init(conversation, .card(card))
            return
        }
        self.init(conversation, .read(try reader.value(), upTo: try reader.integer()))
    }
}

extension AddedTarget {
    func write(to writer: inout ByteWriter) {
        writer.value(target)
        writer.integer(UInt32(clamping: demand))
        writer.integer(isByHand ? 1 : 0 as UInt8)
    }

    init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            try reader.value(), demand: Int(try reader.integer(UInt32.self)), isByHand: try reader.flag())
    }
}
