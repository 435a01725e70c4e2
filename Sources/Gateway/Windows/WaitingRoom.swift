import Pool
import Wire

/// Words about conversations that are not in memory yet: they wait, and nobody else does.
///
/// Of one window everything is answered in order. When a conversation has come, one word of each window is answered after another, of
/// those first whose answers cost least.
struct WaitingRoom {
    /// A word, and to whom it is answered.
    struct Visit {
        let client: WindowClient
        let word: ClientWord
        let request: RequestID
        /// The bytes of a word that came as a frame, whatever its request; nil for others.
        let question: AnswerQuestion?
        let asker: Asker

        var place: SeatPlace { SeatPlace(client: client, window: word.window) }
    }

    struct SeatPlace: Hashable {
        let client: WindowClient
        let window: WindowID
    }

    /// A window, and why its first word cannot be answered.
    private struct Called {
        let place: SeatPlace
        let refusal: WindowRefusal?
    }

    private var lines: [SeatPlace: [Visit]] = [:]
    private var expecting: [SharedTimeline.Key: [SeatPlace]] = [:]
    private var called: FairQueue<Subject, Called>
    private let windows: Int
    private let words: Int

    init(_ limits: WindowLimits) {
        (windows, words) = (limits.waiting, limits.waitingWords)
        called = FairQueue(quantum: 1000, mostOfOne: limits.waiting, most: limits.waiting)
    }

    /// Whether some may be answered by now.
    var isCalling: Bool { !called.isEmpty }

    func holds(_ window: WindowID, of client: WindowClient) -> Bool {
        !lines.isEmpty && lines[SeatPlace(client: client, window: window)] != nil
    }

    /// Windows of a client of which words wait.
    func windows(of client: WindowClient) -> [WindowID] {
        lines.isEmpty ? [] : lines.keys.filter { $0.client == client }.map(\.window)
    }

    /// Behind what was said before about the window.
    mutating func line(up visit: Visit) throws(WindowRefusal) {
        guard lines[visit.place]!.count < words else { throw .busy }
        lines[visit.place]!.append(visit)
    }

    mutating func wait(_ visit: Visit, for key: SharedTimeline.Key) throws(WindowRefusal) {
        // Somebody who asks once has asked before whether it is there.
        guard visit.client != .visitor, lines.count < windows else { throw .busy }
        lines[visit.place] = [visit]
        expecting[key, default: []].append(visit.place)
    }

    /// The conversation has come; or it cannot, and why.
    mutating func call(_ key: SharedTimeline.Key, _ refusal: WindowRefusal?) {
        for place in expecting.removeValue(forKey: key) ?? [] { call(place, refusal) }
    }

    private mutating func call(_ place: SeatPlace, _ refusal: WindowRefusal? = nil) {
        guard let visit = lines[place]?.first else { return lines[place] = nil }
        // No more windows are called than wait.
        precondition(called.add(Called(place: place, refusal: refusal), of: visit.asker.payer))
    }

    /// The word whose turn it is; it stays the first of its window until it is answered.
    mutating func next() -> (visit: Visit, refusal: WindowRefusal?)? {
        guard let next = called.next()?.item, let visit = lines[next.place]?.first else { return nil }
        return (visit, next.refusal)
    }

    /// - Parameters:
    ///   - cost: in microseconds.
    ///   - key: of another conversation for which it waits now; nil when it is answered.
    mutating func leave(_ visit: Visit, cost: Int, for key: SharedTimeline.Key? = nil) {
        called.charge(visit.asker.payer, cost)
        if let key { return expecting[key, default: []].append(visit.place) }
        lines[visit.place]?.removeFirst()
        call(visit.place)
    }
}
