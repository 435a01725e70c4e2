package import Wire

/// A record of the events that were sent and of their answers. Afterwards it knows of every message whether readers
/// must find it, with which revision and where.
///
/// A message takes 24 bytes. Events that nobody answered are kept beside them, since their effects may be found or
/// not.
package struct Ledger: Sendable {
    /// The answers to events, counted.
    package struct Counts: Equatable, Sendable {
        package var accepted = 0
        package var duplicate = 0
        package var superseded = 0
        package var invalid = 0
        /// Events that were answered "busy" and not tried again.
        package var busy = 0
        package var unanswered = 0

        package init() {}
        package var total: Int { accepted + duplicate + superseded + invalid + busy + unanswered }
    }

    struct Entry {
        /// The accepted revisions of the body and of the order; 0 while there are none.
        var bodyRevision: UInt32 = 0
        var orderRevision: UInt32 = 0
        var order: Int64 = 0
        var conversation: UInt32
        var isDeleted = false
        /// The reading of its conversation in which it was found last.
        var foundIn: UInt16 = 0

        /// Whether readers must find it.
        var isVisible: Bool { bodyRevision > 0 && orderRevision > 0 && !isDeleted }
    }

    package private(set) var counts = Counts()
    /// The first reasons of refusals: a flood sends nothing that ought to be refused.
    package private(set) var objections: [String] = []
    private(set) var entries: [Entry] = []
    private(set) var unanswered: [UInt32: [PlannedEvent]] = [:]

    static let examples = 20

    package init() {}

    /// Registers an event that is about to be sent. Each is answered, or given up, later.
    package mutating func plan(_ event: PlannedEvent) {
        while entries.count <= event.message { entries.append(Entry(conversation: event.conversation)) }
        entries[Int(event.message)].conversation = event.conversation
    }

    package mutating func answer(_ event: PlannedEvent, _ answer: EventAnswer) {
        switch answer {
        case .accepted:
            counts.accepted += 1
            accept(event)
        case .duplicate:
            counts.duplicate += 1
            // This answers a repetition whose first answer was lost.
            accept(event)
        case .superseded:
            counts.superseded += 1
            // The service knows all of the event, or something newer. It may have kept the event when it was sent
            // before, and the answer was lost.
            accept(event)
        case .busy: counts.busy += 1
        case .invalid(let field, let reason):
            counts.invalid += 1
            if objections.count < Self.examples { objections.append("\(field): \(reason)") }
        }
    }

    /// Counts an event whose fate was never answered.
    package mutating func giveUp(_ event: PlannedEvent) {
        counts.unanswered += 1
        unanswered[event.message, default: []].append(event)
    }

    private mutating func accept(_ event: PlannedEvent) {
        let place = Int(event.message)
        if event.registers.contains(.body) {
            entries[place].bodyRevision = max(entries[place].bodyRevision, event.revision)
        }
        if event.registers.contains(.order), event.revision > entries[place].orderRevision {
            entries[place].orderRevision = event.revision
            entries[place].order = event.order
        }
        if event.registers.contains(.deleted) { entries[place].isDeleted = true }
    }

    /// The order at which readers must find a message; nil when they must not find it.
    package func order(of message: UInt32) -> Int64? {
        guard message < entries.count, entries[Int(message)].isVisible else { return nil }
        return entries[Int(message)].order
    }

    /// The number of messages that readers must find, by conversation.
    package func visible(conversations: Int) -> [UInt32] {
        var counts = [UInt32](repeating: 0, count: conversations)
        for entry in entries where entry.isVisible { counts[Int(entry.conversation)] += 1 }
        return counts
    }

    mutating func markFound(_ message: UInt32, in reading: UInt16) { entries[Int(message)].foundIn = reading }
}
