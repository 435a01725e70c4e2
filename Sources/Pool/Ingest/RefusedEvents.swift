import Names
import Wire

/// The events that were refused lately, and are to come again: a mark of each, in a table of one size.
///
/// A mark is forgotten when a few others have come to its place since, and two events may have the same one. Either
/// means no more than that an event has room sooner or later than it ought to.
struct RefusedEvents: Equatable, Sendable {
    /// The marks of each place, the latest first; zero where there is none. It is there from the first one on.
    private var marks: [UInt16] = []

    /// The bits that name a place: there are some times as many marks as events come in half a minute.
    private static let bits = 18
    private static let marksOfPlace = 4

    func contains(_ event: ChatEvent) -> Bool {
        guard !marks.isEmpty else { return false }
        let hash = Self.hash(of: event)
        let first = Self.first(of: hash)
        return marks[first..<first + Self.marksOfPlace].contains(Self.mark(of: hash))
    }

    mutating func insert(_ event: ChatEvent) {
        guard !contains(event) else { return }
        if marks.isEmpty { marks = Array(repeating: 0, count: Self.marksOfPlace << Self.bits) }
        let hash = Self.hash(of: event)
        let first = Self.first(of: hash)
        for place in stride(from: first + Self.marksOfPlace - 1, to: first, by: -1) { marks[place] = marks[place - 1] }
        marks[first] = Self.mark(of: hash)
    }

    private static func hash(of event: ChatEvent) -> UInt64 {
        var hash = StableHash()
        hash.add(event.conversation.text.utf8)
        switch event {
        case .message(let event):
            hash.add(event.message.text.utf8)
            hash.add(event.revision.number)
        case .conversation(let event):
            // A later mark of the same reader may take the room of the one before.
            if let reader = event.read?.reader { hash.add(reader.text.utf8) }
            hash.add(event.revision.number)
        }
        return hash.value
    }

    private static func first(of hash: UInt64) -> Int { Int(hash >> (64 - UInt64(bits))) * marksOfPlace }
    private static func mark(of hash: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: hash) | 1 }
}
