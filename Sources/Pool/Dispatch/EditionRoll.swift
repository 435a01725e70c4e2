import Names
import Wire

/// The editions: the one that is served, the one that is to take its place, and the one that fills its gaps.
///
/// ```text
///             wanted                        every shard is through
///  in folder ─────────▶ next, beside ─────────────────────────────────▶ served ──────────▶ old ──────────▶ gone
///                       the served one   another is wanted: dropped      another is served      grace, or retired
///             wanted            messages in view are laid out               every shard is through
///  in folder ─────────▶ next ─────────────────────────────────▶ served ──────────────────────────▶ served
///             at once                                           the old one fills
///
///                  the served edition has only caretakers, and the next one has workers
///   (no filler) ──────────────────────────────────────────────────────────────────────▶ the next edition fills
///        ▲                                                                                    │
///        └── the next one is served, or the served one has workers again and all that it lacked┘
/// ```
///
/// The journal remembers the filler: it alone shows rows that were withdrawn from the served edition, and all that
/// came since, also when this coordinator has ended and no worker has come to the next edition yet.
struct EditionRoll: Equatable, Sendable {
    /// The newest job of each shard.
    private(set) var latest: Table<Shard, JobNumber>
    private(set) var service: EditionService?
    /// The editions in the order in which they came. They are few, so they are searched.
    private var editions: [EditionDesk] = []
    private(set) var slots: [EditionSlot] = []
    private var lastSlot = 0
    /// The view that readers were told.
    private var told: EditionView?
    /// The haste of a next edition that is to be served before all is laid out in it.
    private var hurry: Hurry?
    /// Editions of this term that are gone; their workers are sent away.
    private var gone: [EditionID] = []

    private struct Hurry: Equatable, Sendable {
        var edition: EditionID
        var since: Moment
        /// Whether it was not there before.
        var isNew: Bool
    }

    private static let mostGone = 16
    /// The number of undone jobs at which the served edition lacks nothing that is not on its way.
    private static let mostLacking = 64

    init(_ standing: Standing, grace: Duration) {
        latest = Table(standing.latest)
        service = standing.service
        for id in standing.editions {
            let map = standing.maps[id] ?? FileMap(shards: latest.count)
            add(EditionDesk(id, name: id.text, map, progress: standing.progress, latest: latest))
            // The time of a filler begins when it fills nothing any more.
            if !isServed(id), id != service?.filler { editions[editions.count - 1].retiresAt = .start + grace }
        }
    }

    private mutating func add(_ edition: EditionDesk) {
        lastSlot += 1
        slots.append(EditionSlot(number: lastSlot))
        editions.append(edition)
    }

    subscript(slot: EditionSlot) -> EditionDesk {
        get { editions[slots.firstIndex(of: slot)!] }
        _modify { yield &editions[slots.firstIndex(of: slot)!] }
    }

    var all: [EditionDesk] { editions }
    var shardCount: Int { latest.count }
    /// The number of jobs that were accepted before any worker ever came.
    var unserved: Int { editions.isEmpty ? latest.values.reduce(0) { $0 + Int($1.number) } : 0 }

    func slot(of id: EditionID) -> EditionSlot? { editions.firstIndex { $0.id == id }.map { slots[$0] } }

    func isServed(_ id: EditionID) -> Bool { service?.current == id || service?.next == id }
    func isGone(_ id: EditionID) -> Bool { gone.contains(id) }

    private var filler: EditionSlot? { (service?.filler).flatMap(slot(of:)) }

    /// Returns the edition that gives readers the rows that this one lacks: its filler, or, for the filler, the
    /// served edition.
    func companion(of slot: EditionSlot) -> EditionSlot? {
        guard let service, let filler = service.filler.flatMap(self.slot(of:)) else { return nil }
        return filler == slot ? self.slot(of: service.current) : filler
    }

    /// The edition whose backlog decides over new events: the one that is served, unless nobody works for it.
    var served: EditionSlot? {
        let current = service.flatMap { slot(of: $0.current) }
        if let current, self[current].workers > 0 { return current }
        if let filler, self[filler].workers > 0 { return filler }
        return slots.first { self[$0].workers > 0 } ?? current
    }

    /// The number of workers that lay out for readers: those of the served edition, and of the one that fills it.
    var servedWorkers: Int {
        let shown = [service?.current, service?.filler].compactMap { $0.flatMap(slot(of:)) }
        return shown.reduce(0) { $0 + self[$1].workers }
    }
}

/// Jobs that are accepted, or come from the journal, for all editions.
extension EditionRoll {
    mutating func accept(_ due: DueJob, _ context: inout DispatchContext) {
        let shard = Shard(of: due.job.conversation, among: latest.count)
        latest[shard] = max(latest[shard], due.job.number)
        context.counters.accepted += 1
        for place in editions.indices {
            let hasCaretakersAlone = editions[place].hasCaretakersAlone
            editions[place].jobs.accept(due, in: shard, hasCaretakersAlone: hasCaretakersAlone, &context)
        }
    }

    mutating func take(_ page: JobPage, of id: EditionID, _ shard: Shard, _ context: inout DispatchContext) {
        guard let slot = slot(of: id) else { return }
        self[slot].jobs.take(page, of: shard, latest: latest[shard], &context)
    }

    mutating func take(removals page: JobPage, of id: EditionID, _ shard: Shard, _ context: inout DispatchContext) {
        guard let slot = slot(of: id) else { return }
        self[slot].jobs.take(removals: page, of: shard, latest: latest[shard], &context)
    }

    mutating func take(_ jobs: [LayoutJob], of id: EditionID, _ shard: Shard, _ context: inout DispatchContext) {
        guard let slot = slot(of: id) else { return }
        self[slot].jobs.take(jobs, of: shard, &context)
    }

    mutating func take(_ page: RecentPage, of id: EditionID, _ shard: Shard, _ context: inout DispatchContext) {
        guard let slot = slot(of: id) else { return }
        self[slot].jobs.take(page, of: shard, &context)
    }

    mutating func replay(_ job: LayoutJob, _ place: ShelfPlace, _ context: inout DispatchContext) {
        guard let slot = slot(of: place.edition), latest.contains(place.shard) else { return }
        var ticket = Ticket(job: job, shard: place.shard, lane: .live, since: context.now)
        ticket.replayOf = place
        self[slot].jobs.enqueue(ticket, &context)
    }

    mutating func take(
        wished jobs: [LayoutJob], asked: [MessageNumber], of id: EditionID, _ shard: Shard,
        _ context: inout DispatchContext
    ) {
        guard let slot = slot(of: id) else { return }
        self[slot].jobs.take(wished: jobs, asked: asked, of: shard, &context)
    }

    mutating func take(doubted jobs: [LayoutJob], of id: EditionID, _ shard: Shard, _ context: inout DispatchContext) {
        guard let slot = slot(of: id), latest.contains(shard) else { return }
        self[slot].jobs.take(doubted: jobs, of: shard, &context)
    }

    /// Puts messages that readers look at to the front. A job that is only in the journal comes in its turn; but for
    /// an edition that is served before it is whole, or is to be, the journal is asked for these messages.
    mutating func urge(_ messages: [MessageNumber], in shard: Shard, _ context: DispatchContext) {
        guard latest.contains(shard) else { return }
        for place in editions.indices {
            if isShownEarly(editions[place].id) {
                for message in messages { editions[place].jobs.wish(for: message, in: shard) }
            }
            // Nobody lays them out there, and removals would wait behind them.
            if editions[place].hasCaretakersAlone { continue }
            // Each goes to the very front: the first of them is to be the first.
            for message in messages.reversed() { editions[place].jobs.urge(message, in: shard, context) }
        }
    }

    mutating func fetch(_ context: inout DispatchContext) {
        for place in editions.indices { editions[place].fetch(&context) }
    }

    /// Has holders look at all files, to extend the rows that are there for screens that were added.
    mutating func haveAllLookedAt() {
        for place in editions.indices { editions[place].leases.doubtKnown { _ in true } }
    }

    mutating func forgetRecord() { for place in editions.indices { editions[place].forgetRecord() } }
}

/// Changes of the served edition.
extension EditionRoll {
    /// Returns the edition that a worker works for; nil where nobody wants it. Only while none is served, a worker
    /// brings its own.
    mutating func welcome(_ hello: WorkerHello, _ context: inout DispatchContext) -> EditionSlot? {
        if let known = slot(of: hello.edition) {
            self[known].rename(hello.editionName)
            return known
        }
        guard service == nil, !hello.isCaretaker else {
            context.report(.stranger(hello))
            return nil
        }
        begin(with: hello.edition, name: hello.editionName, FileMap(shards: latest.count), &context)
        return slots.last
    }

    /// Begins with the first edition ever: everything that the journal has is to be laid out.
    private mutating func begin(
        with id: EditionID, name: String, _ map: FileMap, _ context: inout DispatchContext
    ) {
        add(unknown(id, name: name, map))
        serve(EditionService(current: id), &context)
        settleView(&context)
        context.report(.switched(from: nil, to: id))
    }

    /// Makes an edition in which nothing is done.
    private func unknown(_ id: EditionID, name: String, _ map: FileMap) -> EditionDesk {
        EditionDesk(id, name: name, map, progress: [], latest: latest)
    }

    mutating func rename(_ id: EditionID, _ name: String) { if let slot = slot(of: id) { self[slot].rename(name) } }

    /// Rolls to an edition: it is served as soon as all is laid out in it; at once, where none is served.
    mutating func roll(
        to id: EditionID, name: String, _ map: FileMap, isHurried: Bool = false, _ roster: inout Roster,
        _ context: inout DispatchContext
    ) {
        gone.removeAll { $0 == id }
        if hurry?.edition != id || !isHurried {
            hurry = isHurried ? Hurry(edition: id, since: context.now, isNew: slot(of: id) == nil) : nil
        }
        guard let current = service?.current else { return begin(with: id, name: name, map, &context) }
        guard id != current else { return stay(with: current, &context) }
        if slot(of: id) == nil {
            makeRoom(&roster, &context)
            let served = slot(of: current).map { self[$0] } ?? unknown(current, name: current.text, map)
            add(EditionDesk(id, name: name, map, besides: served, latest: latest))
        }
        rename(id, name)
        self[slot(of: id)!].retiresAt = nil
        let other = service?.next
        guard other != id else { return }
        if let other { drop(other, &context) }
        serve(EditionService(current: current, next: id, filler: service?.filler), &context)
        context.report(.rolling(id))
    }

    /// Keeps the served edition, whatever was on its way to take its place.
    private mutating func stay(with current: EditionID, _ context: inout DispatchContext) {
        hurry = nil
        guard let next = service?.next else { return }
        drop(next, &context)
        serve(EditionService(current: current, filler: service?.filler), &context)
    }

    /// Drops an edition, but keeps it for a while, as somebody may want it again.
    private mutating func drop(_ id: EditionID, _ context: inout DispatchContext) {
        if let slot = slot(of: id) { self[slot].retiresAt = context.now + context.limits.grace }
        context.report(.dropped(id))
    }

    /// Makes room for another edition: the one that would go next goes now.
    private mutating func makeRoom(_ roster: inout Roster, _ context: inout DispatchContext) {
        while editions.count >= context.limits.editions,
            let first = editions.filter({ !isServed($0.id) && $0.id != service?.filler }).min(by: {
                ($0.retiresAt ?? context.now) < ($1.retiresAt ?? context.now)
            })
        {
            retire(first.id, &roster, &context)
        }
    }

    /// Serves the next edition when all of its shards are through, and drops those whose time has come.
    mutating func rollOn(_ roster: inout Roster, _ context: inout DispatchContext) {
        serveNext(&context)
        for place in editions.indices { editions[place].shortenGrace(context) }
        for edition in editions
        where edition.retiresAt.map({ $0 <= context.now }) ?? false && edition.id != service?.filler {
            retire(edition.id, &roster, &context)
        }
    }

    private mutating func serveNext(_ context: inout DispatchContext) {
        guard let service, let next = service.next, let slot = slot(of: next), self[slot].workers > 0 else { return }
        var new = EditionService(current: next)
        if !self[slot].isWhole(butFor: context.limits.idleRoom) {
            guard let hurry, hurry.edition == next, context.now >= hurry.since + context.limits.hurry,
                self[slot].isPresentable(isNew: hurry.isNew, butFor: Self.mostLacking)
            else { return }
            new.filler = wholeOne(of: service)
        }
        hurry = nil
        for old in [service.current, service.filler].compactMap(\.self) where old != new.filler && old != next {
            outdate(old, context)
        }
        serve(new, &context)
        context.report(.switched(from: service.current, to: next))
    }

    /// Whether another edition is laid out to take its place, and soon: then nobody will be shown rows that are still
    /// to be laid out in this one.
    func isOvertaken(_ slot: EditionSlot) -> Bool {
        guard let service, let next = service.next, hurry?.edition == next, service.filler != nil,
            self.slot(of: service.current) == slot
        else { return false }
        return self.slot(of: next).map { self[$0].workers > 0 } ?? false
    }

    /// The edition that has a row of everything: the one that is served, or the one that fills it.
    private func wholeOne(of service: EditionService) -> EditionID {
        guard let current = slot(of: service.current), !self[current].jobs.isWalked, let filler = service.filler,
            filler != service.next, slot(of: filler) != nil
        else { return service.current }
        return filler
    }

    /// Gives an edition its time to go, as readers are shown nothing of it any more.
    private mutating func outdate(_ id: EditionID, _ context: DispatchContext) {
        guard let slot = slot(of: id), self[slot].retiresAt == nil else { return }
        self[slot].retiresAt = context.now + context.limits.grace
    }

    /// Whether readers see the rows that an edition has, or are to, and the others from another edition.
    private func isShownEarly(_ id: EditionID) -> Bool {
        guard let service else { return false }
        if service.next == id { return hurry?.edition == id }
        return service.current == id && service.filler.map { $0 != service.next } ?? false
    }

    mutating func retire(_ id: EditionID, _ roster: inout Roster, _ context: inout DispatchContext) {
        guard service?.current != id, let slot = slot(of: id), let place = slots.firstIndex(of: slot) else { return }
        // The filler of the served edition goes when that lacks nothing any more.
        if let service, service.filler == id, service.next != id, isFilledFromBehind(service) {
            return self[slot].retiresAt = context.now
        }
        if let service, service.next == id {
            serve(EditionService(current: service.current, filler: service.filler), &context)
        }
        roster.sendAway(from: slot, &context)
        editions.remove(at: place)
        slots.remove(at: place)
        gone.append(id)
        if gone.count > Self.mostGone { gone.removeFirst() }
        context.note.retired.append(id)
        context.note.shelved.removeAll { $0.place.edition == id }
        context.note.unshelved.removeAll { $0.edition == id }
        context.perform(.retire(id))
    }

    private mutating func serve(_ service: EditionService, _ context: inout DispatchContext) {
        self.service = service
        context.note.service = service
    }

    /// Decides whether the served edition is filled from the next one, and tells readers of a change.
    mutating func settleView(_ context: inout DispatchContext) {
        guard var service, let current = slot(of: service.current).map({ self[$0] }) else { return }
        if let filler = service.filler {
            let isWhole = current.workers > 0 && current.isWhole(butFor: Self.mostLacking)
            if isWhole || filler == service.current || slot(of: filler) == nil { service.filler = nil }
            if service.filler == nil, !isServed(filler) { outdate(filler, context) }
        }
        if service.filler != service.next, let next = service.next, let slot = slot(of: next),
            current.workers == 0, current.caretakers > 0, self[slot].workers > 0, !isFilledFromBehind(service)
        {
            service.filler = next
        }
        if service != self.service { serve(service, &context) }
        let view = EditionView(
            current: service.current, next: service.next, filler: service.filler,
            isHurried: service.next != nil && service.next == hurry?.edition)
        guard view != told else { return }
        told = view
        context.perform(.serve(view))
    }

    /// Whether the filler has all that the served edition lacks, as it was served before, and somebody keeps it so.
    private func isFilledFromBehind(_ service: EditionService) -> Bool {
        guard let filler = service.filler, filler != service.next, let slot = slot(of: filler) else { return false }
        return self[slot].isAttended && self[slot].jobs.isWalked
    }
}
