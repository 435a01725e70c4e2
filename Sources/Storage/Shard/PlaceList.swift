import Names
import Wire

/// Places of rows in memory, those of each conversation in order. A row has one place, and a place one row.
struct PlaceList {
    private var lists: [Int64: [NumberedPlace]] = [:]
    private var known: [MessageNumber: Known] = [:]

    private struct Known {
        var conversation: Int64
        var position: Position
    }

    var count: Int { known.count }

    /// Conversations behind one, in the order of their numbers.
    func conversations(after number: Int64) -> [Int64] { lists.keys.filter { $0 > number }.sorted() }

    /// Places behind one, up to another.
    func places(of conversation: Int64, after: Position? = nil, upTo: Position? = nil) -> ArraySlice<NumberedPlace> {
        guard let list = lists[conversation] else { return [] }
        let start = after.map { after in list.partitioned { after < $0.position } } ?? 0
        let end = upTo.map { upTo in list.partitioned { upTo < $0.position } } ?? list.count
        return list[start..<max(start, end)]
    }

    func number(of conversation: Int64, at position: Position) -> MessageNumber? {
        guard let list = lists[conversation] else { return nil }
        let i = list.partitioned { !($0.position < position) }
        return i < list.count && list[i].position == position ? list[i].number : nil
    }

    /// Where two rows claim one place, the later one has it.
    mutating func put(_ number: MessageNumber, _ conversation: Int64, _ position: Position) {
        remove(number)
        remove(conversation, position)
        known[number] = Known(conversation: conversation, position: position)
        lists[conversation, default: []].insert(NumberedPlace(position: position, number: number))
    }

    mutating func remove(_ number: MessageNumber) {
        guard let place = known[number] else { return }
        remove(place.conversation, place.position)
    }

    /// - Returns: whether there was one.
    @discardableResult
    mutating func remove(_ conversation: Int64, _ position: Position) -> Bool {
        guard let number = number(of: conversation, at: position) else { return false }
        known[number] = nil
        lists[conversation]?.removeAll(at: position)
        if lists[conversation]?.isEmpty ?? false { lists[conversation] = nil }
        return true
    }

    mutating func removeAll(where isGone: (_ conversation: Int64, _ number: Int64) -> Bool) {
        for (conversation, list) in lists {
            let left = list.filter { !isGone(conversation, $0.number.number) }
            guard left.count < list.count else { continue }
            for place in list where isGone(conversation, place.number.number) { known[place.number] = nil }
            lists[conversation] = left.isEmpty ? nil : left
        }
    }

    mutating func removeAll() {
        lists.removeAll(keepingCapacity: true)
        known.removeAll(keepingCapacity: true)
    }
}

/// Places of a list, taken one by one where they come between those of a table.
struct PlacesBetween {
    private var rest: ArraySlice<NumberedPlace>
    private let isDescending: Bool

    init(_ places: ArraySlice<NumberedPlace>, isDescending: Bool = false) {
        (rest, self.isDescending) = (places, isDescending)
    }

    /// The next place, where it comes before `place` of the table; nil where that has its turn.
    /// Behind the table's last all come.
    mutating func next(before place: Position?) -> NumberedPlace? {
        guard let own = isDescending ? rest.last : rest.first else { return nil }
        if let place, !(isDescending ? place < own.position : own.position < place) { return nil }
        return isDescending ? rest.removeLast() : rest.removeFirst()
    }
}

extension [NumberedPlace] {
    /// The index of the first place for which `holds` is true, as it is for all behind that.
    fileprivate func partitioned(where holds: (NumberedPlace) -> Bool) -> Int {
        // Most questions are about the end.
        guard let last, holds(last) else { return count }
        var (start, end) = (0, count - 1)
        while start < end {
            let middle = (start + end) / 2
            if holds(self[middle]) { end = middle } else { start = middle + 1 }
        }
        return start
    }

    fileprivate mutating func insert(_ place: NumberedPlace) {
        insert(place, at: partitioned { place.position < $0.position })
    }

    fileprivate mutating func removeAll(at position: Position) {
        remove(at: partitioned { !($0.position < position) })
    }
}
