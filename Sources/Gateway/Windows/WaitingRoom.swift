import Names
import Pool
import Wire

/// Words about conversations that are not in memory yet: they wait, and nobody else does.
///
/// The words of one window are answered in order. When a conversation has come, one word of each window is answered
/// after another, the askers with the least cost first.
struct WaitingRoom {
    /// A word, and the client that its answer is for.
    struct Visit {
        let client: WindowClient
        let word: ClientWord
        let request: RequestID
        /// The bytes of a word that came as a frame, whatever its request; nil for others.
        let question: AnswerQuestion?
        let asker: Asker
        /// The reason why it is refused in its turn, whether the conversation comes or not; nil where it is answered.
        var refusal: WindowRefusal?
        /// The number of conversations that have come for it, and were not the last that it needs.
        var waits = 0

        var place: SeatPlace { SeatPlace(client: client, window: word.window) }
    }

    struct SeatPlace: Hashable {
        let client: WindowClient
        let window: WindowID
    }

    /// A window, and the reason why its first word cannot be answered; nil where it can.
    private struct Called {
        let place: SeatPlace
        let refusal: WindowRefusal?
    }

    private var lines: [SeatPlace: [Visit]] = [:]
    private var expecting: [SharedTimeline.Key: [SeatPlace]] = [:]
    private var called: FairQueue<Subject, Called>
    private let windows: Int
    private let windowsOfOne: Int
    private let words: Int

    init(_ limits: WindowLimits) {
        (windows, windowsOfOne, words) = (limits.waiting, limits.waitingOfOne, limits.waitingWords)
        called = FairQueue(quantum: 1000, mostOfOne: limits.waiting, most: limits.waiting)
    }

    /// Whether some words may be answered by now.
    var isCalling: Bool { !called.isEmpty }

    func holds(_ window: WindowID, of client: WindowClient) -> Bool {
        !lines.isEmpty && lines[SeatPlace(client: client, window: window)] != nil
    }

    /// Whether words about any window of a client wait.
    func holdsAny(of client: WindowClient) -> Bool { lines.keys.contains { $0.client == client } }

    /// The windows of a client about which words wait.
    func windows(of client: WindowClient) -> [WindowID] {
        lines.isEmpty ? [] : lines.keys.filter { $0.client == client }.map(\.window)
    }

    /// Puts a word behind the earlier ones about its window.
    mutating func line(up visit: Visit) throws(WindowRefusal) {
        guard lines[visit.place]!.count < words else { throw .busy }
        lines[visit.place]!.append(visit)
    }

    /// Has openings of a client refused when their turn comes, but for those of conversations that it may read. The
    /// last call counts.
    mutating func refuse(openingsOf client: WindowClient, unless mayRead: (ConversationID) -> Bool) {
        for (place, line) in lines where place.client == client {
            lines[place] = line.map { visit in
                guard case .open(let opening) = visit.word else { return visit }
                var visit = visit
                visit.refusal = mayRead(opening.conversation) ? nil : .unauthorized
                return visit
            }
        }
    }

    mutating func wait(_ visit: Visit, for key: SharedTimeline.Key) throws(WindowRefusal) {
        // A visitor asks only when the conversation is there.
        guard visit.client != .visitor, lines.count < windows, hasRoom(for: visit.asker.payer) else { throw .busy }
        lines[visit.place] = [visit]
        expecting[key, default: []].append(visit.place)
    }

    /// Whether a subject has left some of the room that is not for others.
    private func hasRoom(for payer: Subject) -> Bool {
        lines.count < windowsOfOne || lines.values.count { $0.first?.asker.payer == payer } < windowsOfOne
    }

    /// Calls the windows that wait for a conversation: it has come, or cannot come.
    mutating func call(_ key: SharedTimeline.Key, _ refusal: WindowRefusal?) {
        for place in expecting.removeValue(forKey: key) ?? [] { call(place, refusal) }
    }

    private mutating func call(_ place: SeatPlace, _ refusal: WindowRefusal? = nil) {
        guard let visit = lines[place]?.first else { return lines[place] = nil }
        // No more windows are called than wait.
        precondition(called.add(Called(place: place, refusal: refusal), of: visit.asker.payer))
    }

    /// The most conversations that one word waits for. Where memory has no room for all that it needs, each that comes
    /// drives another out, and it would wait without end.
    private static let mostWaits = Limits.targets

    /// The word whose turn it is; it stays the first of its window until it is answered.
    mutating func next() -> (visit: Visit, refusal: WindowRefusal?)? {
        guard let next = called.next()?.item, let visit = lines[next.place]?.first else { return nil }
        let refusal = visit.waits > Self.mostWaits ? WindowRefusal.busy : next.refusal
        return (visit, visit.refusal ?? refusal)
    }

    /// - Parameters:
    ///   - cost: in microseconds.
    ///   - key: another conversation that the word waits for now; nil when it is answered.
    mutating func leave(_ visit: Visit, cost: Int, for key: SharedTimeline.Key? = nil) {
        called.charge(visit.asker.payer, cost)
        if let key {
            lines[visit.place]?[0].waits += 1
            return expecting[key, default: []].append(visit.place)
        }
        lines[visit.place]?.removeFirst()
        call(visit.place)
    }
}
