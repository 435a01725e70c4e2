import Foundation
import Names
import Synchronization
import Transport
package import Wire

/// A service that keeps everything in memory and lays nothing out, with the sockets and the words of a real one, to try
/// producers, readers and tools of load. It makes mistakes when it is told to.
package final class StandIn: Sendable {
    /// The mistakes that it makes.
    package struct Habits: Sendable {
        /// Each so many-th request is answered "busy".
        package var busyEvery = 0
        /// Each so many-th request is not answered at all, though it is kept.
        package var silentEvery = 0
        /// Each so many-th hint is not given.
        package var hintLostEvery = 0
        /// Each so many-th row is not shown to readers.
        package var rowHiddenEvery = 0
        /// So many pages of each client find their window closed, as after the end of a gateway.
        package var windowsClosed = 0
        /// Rows show the revision before.
        package var showsOldRevisions = false
        /// Deleted messages are still shown.
        package var keepsDeleted = false
        /// The limits of one request.
        package var limits = RequestLimits()
        /// The message that makes it refuse a whole request, without a word about which event is wrong.
        package var refusesMessage: String?

        package init() {}
    }

    private let habits: Habits
    private let folder: String
    private let state = Mutex(State())
    private let bell: Bell
    private let ended = DispatchSemaphore(value: 0)

    struct State {
        var keeper = Keeper()
        /// The windows of each client.
        var windows: [[UInt8]: KeptWindows] = [:]
        var lanes: [Lane] = []
        var requestCount = 0
        var hintCount = 0
    }

    package init(in folder: String, habits: Habits = Habits()) throws {
        (self.folder, self.habits) = (folder, habits)
        bell = try Bell()
        let begun = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            do { try serve(begun) } catch { fatalError("the stand-in cannot serve: \(error)") }
            ended.signal()
        }
        thread.start()
        begun.wait()
    }

    /// Ends it; a thread of its own keeps it alive until then.
    package func stop() {
        bell.ring()
        ended.wait()
    }

    /// The lane of each request, in order.
    package var lanes: [Lane] { state.withLock { $0.lanes } }

    /// The messages of a conversation that readers see, in order.
    package func messages(of conversation: String) -> [String] {
        state.withLock { $0.keeper.rows(of: conversation, habits).map(\.position.message.text) }
    }

    private func serve(_ begun: DispatchSemaphore) throws {
        let endpoints = Endpoints(folder: folder)
        let context = try Context()
        let events = try Socket(.router, in: context, frameLimit: Limits.refusedFrame)
        let fetches = try Socket(.router, in: context)
        let hints = try Socket(.publisher, in: context)
        try events.bind(endpoints.events)
        try fetches.bind(endpoints.fetch)
        try hints.bind(endpoints.ready)
        begun.signal()
        let edition = try EditionID("0")
        while true {
            let awake = try wait(for: [events.source, fetches.source, bell.source], atMost: .seconds(60))
            if awake[2] { return }
            while let parts = try events.receive() {
                let (answer, ready) = state.withLock { hear(parts.last ?? [], &$0) }
                if let answer { try send(answer, to: parts.dropLast(), over: events) }
                if !ready.isEmpty {
                    let word = ReadyWord(edition: edition, rows: ready)
                    _ = try hints.send(Framed(word).encoded())
                }
            }
            while let parts = try fetches.receive() {
                let framed = try Framed<ClientWord>(decoding: parts[1])
                let answer = state.withLock { state in
                    state.windows[parts[0], default: KeptWindows(of: edition, habits)].answer(framed.word) {
                        state.keeper.rows(of: $0.text, habits)
                    }
                }
                _ = try fetches.send(parts[0], Framed(answer, request: framed.request).encoded())
            }
        }
    }

    private func send(_ answer: [UInt8], to envelope: ArraySlice<[UInt8]>, over socket: borrowing Socket) throws {
        let parts = Array(envelope)
        switch parts.count {
        case 1: _ = try socket.send(parts[0], answer)
        case 2: _ = try socket.send(parts[0], parts[1], answer)
        case 3: _ = try socket.send(parts[0], parts[1], parts[2], answer)
        default: break
        }
    }

    private func hear(_ bytes: [UInt8], _ state: inout State) -> (answer: [UInt8]?, ready: [ReadyWord.Row]) {
        state.requestCount += 1
        let request: IngestRequest
        guard bytes.count <= habits.limits.bytes else {
            return (EventAnswer.json(.tooLong(bytes.count, habits.limits)), [])
        }
        do {
            request = try IngestRequest(parsing: bytes, eventLimit: habits.limits.events)
        } catch {
            return (EventAnswer.json(RequestFault(reason: "\(error)", limits: habits.limits)), [])
        }
        if let name = habits.refusesMessage,
            request.events.contains(where: { (try? $0.get())?.message?.message.text == name })
        {
            return (EventAnswer.json(RequestFault(reason: "no", limits: nil)), [])
        }
        state.lanes.append(request.lane)
        if habits.busyEvery > 0, state.requestCount.isMultiple(of: habits.busyEvery) {
            return (EventAnswer.json(request.events.map { _ in .busy(retryAfter: 5) }, limits: habits.limits), [])
        }
        var ready: [ReadyWord.Row] = []
        let answers = request.events.map { event in
            switch event {
            case .failure(let fault): return fault.answer
            case .success(.conversation): return .accepted
            case .success(.message(let event)):
                let answer = state.keeper.keep(event)
                if answer == .accepted, let hint = state.keeper.readiness(of: event) {
                    state.hintCount += 1
                    let isLost = habits.hintLostEvery > 0 && state.hintCount.isMultiple(of: habits.hintLostEvery)
                    if !isLost { ready.append(hint) }
                }
                return answer
            }
        }
        let isSilent = habits.silentEvery > 0 && state.requestCount.isMultiple(of: habits.silentEvery)
        return (isSilent ? nil : EventAnswer.json(answers, limits: habits.limits), ready)
    }
}
