/// The names that go by most often, counted in bounded space (Misra and Gries): where there is no room for a new
/// name, each of the others loses one, so every name with more than its share is there. The counts are halved now and
/// then, so they are of late.
package struct Busiest<Name: Hashable & Sendable>: Equatable, Sendable {
    private var counts: [Name: Int] = [:]
    /// The number of all that went by, halved as often as the counts.
    package private(set) var total = 0
    private let most: Int

    package init(atMost most: Int = 1024) { self.most = most }

    package mutating func count(_ name: Name) {
        total += 1
        // Found once, and not sought again to be changed: this is done for each event.
        if let place = counts.index(forKey: name) {
            counts.values[place] += 1
        } else if counts.count < most {
            counts[name] = 1
        } else {
            lower { $0 - 1 }
        }
    }

    package mutating func halve() {
        total /= 2
        lower { $0 / 2 }
    }

    private mutating func lower(_ change: (Int) -> Int) {
        counts = counts.compactMapValues {
            let count = change($0)
            return count > 0 ? count : nil
        }
    }

    /// Returns the first names, those with most first; of equal ones in the order that is given.
    package func first(_ count: Int, by isBefore: (Name, Name) -> Bool) -> [(name: Name, count: Int)] {
        counts.sorted { $0.value == $1.value ? isBefore($0.key, $1.key) : $0.value > $1.value }
            .prefix(count).map { ($0.key, $0.value) }
    }
}
