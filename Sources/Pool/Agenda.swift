/// What will happen, the next first; what is due at the same instant in the order in which it was put down.
package struct Agenda<Time: Comparable, Item> {
    fileprivate struct Entry {
        var at: Time
        var order: Int
        var item: Item

        func isBefore(_ other: Entry) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    /// A heap: each entry is before those at twice its place.
    private var entries: [Entry] = []
    private var lastOrder = 0

    package init() {}

    package var count: Int { entries.count }
    /// When the next one is due.
    package var nextTime: Time? { entries.first?.at }
    /// All that are left, in no order.
    package var items: some Sequence<Item> { entries.lazy.map(\.item) }

    package mutating func add(_ item: Item, at time: Time) {
        lastOrder += 1
        entries.append(Entry(at: time, order: lastOrder, item: item))
        var place = entries.count - 1
        while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    package mutating func next() -> (at: Time, item: Item)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.at, first.item)
    }

    private mutating func sink() {
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
