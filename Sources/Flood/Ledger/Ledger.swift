package import Wire

/// What was said and what was answered, so that afterwards it is known of every message whether readers must find it, with
/// which revision and where.
///
/// A message takes 24 bytes. Events that nobody answered are kept beside them, since what they said may be found or not.
package struct Ledger: Sendable {
    /// How events were answered.
    package struct Counts: Equatable, Sendable {
        package var accepted = 0
        package var duplicate = 0
        package var superseded = 0
        package var invalid = 0
        /// Answered "busy" and not tried again.
        package var busy = 0
        package var unanswered = 0

        package init() {}
        package var total: Int { accepted + duplicate + superseded + invalid + busy + unanswered }
    }

    struct Entry {
        /// Of the body and of the order that were accepted; 0 while there are none.
        var bodyRevision: UInt32 = 0
        var orderRevision: UInt32 = 0
        var order: Int64 = 0
        var conversation: UInt32
        var isDeleted = false
        /// In which reading of its conversation it was found last.
        var foundIn: UInt16 = 0

        /// Whether readers must find it.
        var isVisible: Bool { bodyRevision > 0 && orderRevision > 0 && !isDeleted }
    }

    package private(set) var counts = Counts()
    /// The first reasons of refusals: a flood says nothing that ought to be refused.
    package private(set) var objections: [String] = []
    private(set) var entries: [Entry] = []
    private(set) var unanswered: [UInt32: [PlannedEvent]] = [:]

    static let examples = 20

    package init() {}

    /// An event that is about to be sent. Each is answered, or given up, later.
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
            // Of a repetition whose first answer was lost.
            accept(event)
        case .superseded:
            counts.superseded += 1
            // All that it says is known, or older than what is: kept perhaps when it was sent before, and its answer was lost.
            accept(event)
        case .busy: counts.busy += 1
        case .invalid(let field, let reason):
            counts.invalid += 1
            if objections.count < Self.examples { objections.append("\(field): \(reason)") }
        }
    }

    /// Nobody ever said what became of it.
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

    /// Where readers must find a message; nil when they must not find it.
    package func order(of message: UInt32) -> Int64? {
        guard message < entries.count, entries[Int(message)].isVisible else { return nil }
        return entries[Int(message)].order
    }

    /// How many messages readers must find in each conversation.
    package func visible(conversations: Int) -> [UInt32] {
        var counts = [UInt32](repeating: 0, count: conversations)
        for entry in entries where entry.isVisible { counts[Int(entry.conversation)] += 1 }
        return counts
    }

    mutating func markFound(_ message: UInt32, in reading: UInt16) { entries[Int(message)].foundIn = reading }
}
