/// A heap of things to come, the next one first; those of the same time are in the order in which they were added.
package struct Agenda<Time: Comparable, Item> {
    @usableFromInline
    package struct Entry {
        @usableFromInline var at: Time
        @usableFromInline var order: Int
        @usableFromInline var item: Item

        @inlinable
        init(at: Time, order: Int, item: Item) { (self.at, self.order, self.item) = (at, order, item) }

        @inlinable
        func isBefore(_ other: Entry) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    /// The heap: each entry is before those at twice its place.
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var lastOrder = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { entries.isEmpty }
    @inlinable
    package var count: Int { entries.count }
    /// The time at which the next one is due.
    @inlinable
    package var nextTime: Time? { entries.first?.at }
    /// All items that are left, in no order.
    @inlinable
    package var items: [Item] { entries.map(\.item) }

    @inlinable
    package mutating func add(_ item: Item, at time: Time) {
        lastOrder += 1
        entries.append(Entry(at: time, order: lastOrder, item: item))
        var place = entries.count - 1
        while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    @inlinable
    package mutating func next() -> (at: Time, item: Item)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.at, first.item)
    }

    @inlinable
    mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < entries.count && entries[child].isBefore(entries[least]) { least = child }
            guard least != place else { return }
            entries.swapAt(place, least)
            place = least
        }
    }
}

extension Agenda: Sendable where Time: Sendable, Item: Sendable {}
extension Agenda.Entry: Sendable where Time: Sendable, Item: Sendable {}
