import Pool

/// Entries of the log whose body is shown no more. All that came while this process runs are known,
/// so that no card has to be looked up; of earlier ones nothing is known.
struct StaleBodies {
    private let known: LogPosition
    private var places: Set<LogPosition> = []

    /// - Parameter first: the first entry that has not come yet.
    init(knownFrom first: LogPosition) { known = first }

    /// Whether the body of an entry is stale; nil where that has to be looked up.
    func isStale(_ place: LogPosition) -> Bool? { place < known ? nil : places.contains(place) }

    mutating func insert(_ places: some Sequence<LogPosition>) { self.places.formUnion(places) }

    /// Forgets entries up to `last`, which nobody will ask for any more.
    mutating func forget(through last: LogPosition) {
        if places.contains(where: { $0 <= last }) { places = places.filter { $0 > last } }
    }
}
