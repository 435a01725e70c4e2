/// A queue of items by subject that gives each its fair turn: deficit round robin, charged by the cost of each item.
///
/// A subject is a payer: a reader, a key, a connection. Each that has something waiting is served until its credit is
/// used up, and then the next; a turn adds a quantum to the credit. The cost of an item is known when it is done, so
/// a subject may go into debt, and then passes as many turns as it took too much. Debts last as long as anybody
/// waits: while there is time for everybody, nobody is held up.
///
///     guard queue.add(request, of: reader) else { return .busy }
///     while .now < deadline, let (reader, request) = queue.next() { queue.charge(reader, answer(request)) }
package struct FairQueue<Subject: Hashable & Sendable, Item> {
    private struct Line {
        var items: [Item] = []
        var first = 0
        var credit: Int

        var count: Int { items.count - first }

        mutating func take() -> Item {
            defer {
                first += 1
                if first > 32, first * 2 > items.count {
                    items.removeFirst(first)
                    first = 0
                }
            }
            return items[first]
        }
    }

    /// The cost that a turn may have.
    private let quantum: Int
    private let mostOfOne: Int
    private let most: Int
    private var lines: [Subject: Line] = [:]
    /// The subjects that have something waiting, the one whose turn it is first.
    private var ring: [Subject] = []
    private var head = 0
    /// The credits of subjects that are not in the ring: below zero.
    private var debts: [Subject: Int] = [:]
    package private(set) var count = 0

    private static var mostDebts: Int { 16_384 }

    /// - Parameters:
    ///   - quantum: the cost that a turn may have, in the unit of `charge`.
    ///   - mostOfOne: the items of one subject that may wait; `most` is for all together.
    package init(quantum: Int, mostOfOne: Int, most: Int) {
        precondition(quantum > 0)
        (self.quantum, self.mostOfOne, self.most) = (quantum, mostOfOne, most)
    }

    package var isEmpty: Bool { count == 0 }
    package func count(of subject: Subject) -> Int { lines[subject]?.count ?? 0 }

    /// Adds an item; false where too much of the subject waits, or of all, and it is told to come back.
    package mutating func add(_ item: Item, of subject: Subject) -> Bool {
        guard count < most else { return false }
        if lines[subject] == nil {
            guard mostOfOne > 0 else { return false }
            lines[subject] = Line(items: [item], credit: debts.removeValue(forKey: subject) ?? quantum)
            ring.append(subject)
        } else {
            guard lines[subject]!.count < mostOfOne else { return false }
            lines[subject]!.items.append(item)
        }
        count += 1
        return true
    }

    /// Returns the item to serve next, with its subject; nil when nothing waits.
    package mutating func next() -> (subject: Subject, item: Item)? {
        guard count > 0 else { return nil }
        var passed = 0
        while true {
            let subject = ring[head]
            let line = lines[subject]!
            if line.count == 0 {
                leave(subject, line.credit)
            } else if line.credit > 0 {
                tidy()
                count -= 1
                return (subject, lines[subject]!.take())
            } else {
                if passed > ring.count - head { passTurns() }
                lines[subject]!.credit += quantum
                head += 1
                ring.append(subject)
                passed += 1
            }
        }
    }

    /// Takes a subject out of the ring, as nothing of it waits when its turn comes. Until then, items that come go on
    /// with its credit.
    private mutating func leave(_ subject: Subject, _ credit: Int) {
        lines[subject] = nil
        head += 1
        if debts.count > Self.mostDebts { debts = [:] }
        if credit < 0 { debts[subject] = credit }
    }

    /// Charges a subject with the cost of its last item.
    package mutating func charge(_ subject: Subject, _ cost: Int) {
        lines[subject]?.credit -= cost
        // Nobody waits, so nobody was held up.
        if count == 0 { (lines, ring, head, debts) = ([:], [], 0, [:]) }
    }

    /// Passes turns in which nobody would be served, all at once.
    private mutating func passTurns() {
        let best = ring[head...].compactMap { lines[$0]!.count > 0 ? lines[$0]!.credit : nil }.max() ?? 0
        let turns = max(0, -best / quantum)
        guard turns > 0 else { return }
        for subject in ring[head...] { lines[subject]!.credit += turns * quantum }
    }

    private mutating func tidy() {
        guard head > 64, head * 2 > ring.count else { return }
        ring.removeFirst(head)
        head = 0
    }
}
