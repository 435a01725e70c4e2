/// A queue with two ends in one piece of memory. Every element keeps the place it was given, so that it can be found
/// again.
struct RingBuffer<Element: Equatable & Sendable>: Equatable, Sendable {
    private var slots: [Element?] = []
    /// Places of the elements: from the first on, without a gap.
    private(set) var places: Range<Int> = 0..<0

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }
    var first: Element? { isEmpty ? nil : slots[slot(places.lowerBound)] }

    subscript(place: Int) -> Element {
        get {
            precondition(places.contains(place))
            return slots[slot(place)]!
        }
        set {
            precondition(places.contains(place))
            slots[slot(place)] = newValue
        }
    }

    @discardableResult
    mutating func append(_ element: Element) -> Int {
        makeRoom()
        slots[slot(places.upperBound)] = element
        places = places.lowerBound..<places.upperBound + 1
        return places.upperBound - 1
    }

    @discardableResult
    mutating func prepend(_ element: Element) -> Int {
        makeRoom()
        places = places.lowerBound - 1..<places.upperBound
        slots[slot(places.lowerBound)] = element
        return places.lowerBound
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let slot = slot(places.lowerBound)
        defer { slots[slot] = nil }
        places = places.lowerBound + 1..<places.upperBound
        return slots[slot]
    }

    /// Returns the slot of a place. There is a power of two of slots, so it takes a mask and no division, before zero
    /// and after.
    private func slot(_ place: Int) -> Int { place & (slots.count - 1) }

    private mutating func makeRoom() {
        guard count == slots.count else { return }
        var larger = [Element?](repeating: nil, count: max(8, slots.count * 2))
        for place in places { larger[place & (larger.count - 1)] = slots[slot(place)] }
        slots = larger
    }
}
