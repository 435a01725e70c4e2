import Conversation
import Names
import Pool
import Transport
import Wire

/// Drafts that are laid out beside the loop: one after another, of one asker after another, and only the newest of a
/// window.
///
/// ```text
///  draft ──▶ waits ──▶ is laid out ──▶ stands in its row at that moment, and is answered
///              └─ a newer one of the same window: superseded
/// ```
///
/// Nothing of a draft outlives its answer.
struct Previews {
    struct Draft {
        let place: WaitingRoom.SeatPlace
        let request: RequestID
        let payer: Subject
        let message: MessageID
        let state: MessageState
        let edition: EditionID
        /// Whether it is laid out as of the edition that fills the window's.
        let isFiller: Bool
        let open: DraftLayouter.Open
    }

    enum Outcome {
        case laidOut(DraftErrand.Outcome)
        case superseded
    }

    private var waiting = FairQueue<Subject, WaitingRoom.SeatPlace>(quantum: 1000, mostOfOne: 16, most: 256)
    private var drafts: [WaitingRoom.SeatPlace: Draft] = [:]
    private var laying: Draft?
    private var superseded: [Draft] = []
    /// The thread that lays out; nil until there is a draft.
    private var thread: SideThread<DraftErrand, DraftErrand.Outcome>?

    /// The source that becomes readable when a draft is laid out.
    var source: Source? { thread?.source }
    /// Whether something is to be told at once.
    var isTelling: Bool { !superseded.isEmpty }

    mutating func add(_ draft: Draft) throws(WindowRefusal) {
        if let old = drafts.updateValue(draft, forKey: draft.place) {
            superseded.append(old)
            return
        }
        guard waiting.add(draft.place, of: draft.payer) else {
            drafts[draft.place] = nil
            throw .busy
        }
        try goOn()
    }

    private mutating func goOn() throws(WindowRefusal) {
        guard laying == nil, let place = waiting.next()?.item, let draft = drafts.removeValue(forKey: place) else {
            return
        }
        do throws(TransportError) {
            let thread = if let thread { thread } else { try SideThread(open: DraftErrand.bench) }
            self.thread = thread
            laying = draft
            thread.post(DraftErrand(edition: draft.edition, open: draft.open, message: draft.state))
        } catch {
            throw .busy
        }
    }

    /// Takes the drafts that are done since, with their outcomes.
    mutating func take() -> [(Draft, Outcome)] {
        defer { superseded = [] }
        var done = superseded.map { ($0, Outcome.superseded) }
        guard let draft = laying, let last = thread?.take().last else { return done }
        done.append((draft, .laidOut(last.answer)))
        waiting.charge(draft.payer, last.cost)
        laying = nil
        // The thread is there.
        try? goOn()
        return done
    }
}
