import Pool

/// Entries of the log whose body is shown no more. Of those that came while this process runs it knows all, so that nobody has
/// to look up the card of each; of earlier ones it knows nothing.
struct StaleBodies {
    private let known: LogPosition
    private var places: Set<LogPosition> = []

    /// - Parameter first: the first entry that has not come yet.
    init(knownFrom first: LogPosition) { known = first }

    /// Nil where it has to be looked up.
    func isStale(_ place: LogPosition) -> Bool? { place < known ? nil : places.contains(place) }

    mutating func insert(_ places: some Sequence<LogPosition>) { self.places.formUnion(places) }

    /// Nobody will ask for those up to there any more.
    mutating func forget(through last: LogPosition) {
        if places.contains(where: { $0 <= last }) { places = places.filter { $0 > last } }
    }
}
