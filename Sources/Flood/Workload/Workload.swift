import Names

/// All events of a flood, one by one, decided by a seed alone: posts in conversations of which a few are busy and
/// most are quiet, and edits, deletes, statuses, reactions and moves of messages that are mostly recent.
///
/// An event costs one to three microseconds, most of them for the words of its text. Its memory is a counter for each
/// conversation and a window of recent messages, however long it goes on.
package struct Workload: Sendable {
    /// Shares of a hundred events; the rest are posts.
    package struct Shares: Equatable, Sendable {
        package var edits = 3.0
        package var deletes = 1.0
        package var statuses = 5.0
        package var reactions = 2.0
        package var moves = 0.5
        /// Events with the same bytes as an earlier one.
        package var duplicates = 0.5

        package init() {}
        package var sum: Double { edits + deletes + statuses + reactions + moves + duplicates }
    }

    package let names: FloodNames
    /// The number of messages in each conversation.
    package private(set) var counts: [UInt32]
    /// All messages, deleted ones included.
    package private(set) var messageCount: UInt32 = 0
    private let conversations: Lottery
    private let operations: Lottery
    private var bodies: Bodies
    private var random: SplitMix
    private var recent: [Recent] = []
    private var repeatable: [(event: PlannedEvent, json: [UInt8])] = []

    private struct Recent {
        var conversation: UInt32
        var message: UInt32
        var sender: UInt32
        /// The highest revision so far.
        var revision: UInt32
    }

    private enum Operation: Int, CaseIterable {
        case edit, delete, status, reactions, move, duplicate, post
    }

    private static let window: UInt32 = 1 << 16
    private static let repeatableCount = 64
    private static let startTime = 1_700_000_000_000

    /// - Parameters:
    ///   - run: the beginning of the names of its conversations.
    ///   - vocabulary: the number of words.
    package init(
        run: String, conversations count: Int, mix: MessageMix = .standard, shares: Shares = Shares(),
        vocabulary: Int = 30_000, seed: UInt64
    ) {
        names = FloodNames(run: run)
        counts = Array(repeating: 0, count: count)
        conversations = Lottery(zipf: count)
        operations = Lottery(weights: [
            shares.edits, shares.deletes, shares.statuses, shares.reactions, shares.moves, shares.duplicates,
            max(0, 100 - shares.sum),
        ])
        bodies = Bodies(mix, vocabulary: vocabulary, seed: seed)
        random = SplitMix(state: seed ^ 0xF100D)
    }

    /// Appends the JSON of the next event.
    package mutating func next(to json: inout [UInt8]) -> PlannedEvent {
        let operation = messageCount == 0 ? .post : Operation(rawValue: operations.draw(&random))!
        let start = json.count
        if operation == .duplicate, !repeatable.isEmpty {
            let place = random.below(repeatable.count)
            json += repeatable[place].json
            var event = repeatable[place].event
            event.isRepetition = true
            return event
        }
        let event =
            switch operation {
            case .post, .duplicate: post(&json)
            case .edit: change(.body, &json) { workload, recent, json in workload.appendBody(by: recent, &json) }
            case .delete: change(.deleted, &json) { _, _, json in json += #","deleted":true"# }
            case .status:
                change(.status, &json) { workload, _, json in
                    json += #","status":""# + Self.statuses[workload.random.below(Self.statuses.count)] + #"""#
                }
            case .reactions: change(.reactions, &json) { workload, _, json in workload.appendReactions(to: &json) }
            case .move: move(&json)
            }
        json += "}"
        if random.below(8) == 0 { remember(event, json[start...]) }
        return event
    }

    /// A conversation, drawn as often as people look into it: busy ones more often. Readers draw from a generator of
    /// their own, so that events do not depend on reads.
    package func drawConversation(_ random: inout SplitMix) -> UInt32 { UInt32(conversations.draw(&random)) }

    private mutating func post(_ json: inout [UInt8]) -> PlannedEvent {
        let conversation = drawConversation(&random)
        let message = messageCount
        messageCount += 1
        counts[Int(conversation)] += 1
        let recent = Recent(
            conversation: conversation, message: message,
            sender: UInt32(random.below(min(64, 2 + Int(conversation) * 3))), revision: 1)
        if message < Self.window {
            self.recent.append(recent)
        } else {
            self.recent[Int(message % Self.window)] = recent
        }
        let event = PlannedEvent(
            conversation: conversation, message: message, revision: 1, registers: [.body, .order],
            order: Int64(counts[Int(conversation)]))
        begin(event, &json)
        json += ",\"order\":"
        json.append(decimal: event.order)
        appendBody(by: recent, isEdited: false, &json)
        return event
    }

    /// Appends a change of a recent message; the more recent, the more often.
    private mutating func change(
        _ registers: PlannedEvent.Registers, _ json: inout [UInt8],
        with append: (inout Workload, Recent, inout [UInt8]) -> Void
    ) -> PlannedEvent {
        let reach = 1 << random.below(17)
        let place = Int((messageCount - 1 - UInt32(random.below(min(reach, recent.count)))) % Self.window)
        recent[place].revision += 1
        let message = recent[place]
        let event = PlannedEvent(
            conversation: message.conversation, message: message.message, revision: message.revision,
            registers: registers)
        begin(event, &json)
        append(&self, message, &json)
        return event
    }

    /// Appends a move to the end of a conversation or into the middle of it, where another message has the same
    /// order.
    private mutating func move(_ json: inout [UInt8]) -> PlannedEvent {
        var order: Int64 = 0
        var event = change(.order, &json) { workload, message, json in
            let count = workload.counts[Int(message.conversation)]
            order = Int64(1 + workload.random.below(Int(count)))
            json += ",\"order\":"
            json.append(decimal: order)
        }
        event.order = order
        return event
    }

    private func begin(_ event: PlannedEvent, _ json: inout [UInt8]) {
        json += #"{"conversation":""#
        json += names.run
        json += "-c"
        json.append(decimal: Int64(event.conversation))
        json += #"","message":"m"#
        json.append(decimal: Int64(event.message))
        json += #"","revision":"#
        json.append(decimal: Int64(event.revision))
    }

    /// The time at which a message says that it was written.
    static func time(ofMessage number: UInt32) -> Timestamp {
        Timestamp(milliseconds: Int64(startTime) + Int64(number) * 20_000)
    }

    private mutating func appendBody(by recent: Recent, isEdited: Bool = true, _ json: inout [UInt8]) {
        json += #","sender":"u"#
        json.append(decimal: Int64(recent.sender))
        json += #"","time":"#
        json.append(decimal: Self.time(ofMessage: recent.message).milliseconds)
        json += #","body":"#
        bodies.append(to: &json, sender: Int(recent.sender), isEdited: isEdited)
    }

    private mutating func appendReactions(to json: inout [UInt8]) {
        json += #","reactions":["#
        for place in 0...random.below(3) {
            json += (place > 0 ? "," : "") + #"{"emoji":"\#(Script.emoji[place])","count":\#(1 + random.below(40))}"#
        }
        json += "]"
    }

    private mutating func remember(_ event: PlannedEvent, _ bytes: ArraySlice<UInt8>) {
        if repeatable.count < Self.repeatableCount {
            repeatable.append((event, Array(bytes)))
        } else {
            repeatable[random.below(repeatable.count)] = (event, Array(bytes))
        }
    }

    private static let statuses = ["sent", "delivered", "read"]
}

extension [UInt8] {
    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}
