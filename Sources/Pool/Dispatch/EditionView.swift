package import Wire

/// What readers are told of editions.
package struct EditionView: Equatable, Sendable {
    package var current: EditionID
    /// It is laid out to take the place of the current one.
    package var next: EditionID?
    /// Rows that the current edition lacks are given from this one: as nobody lays out the current one any more, or as it is served before
    /// it is whole.
    package var filler: EditionID?
    /// The next one is served as soon as it has what readers look at.
    package var isHurried: Bool

    package init(current: EditionID, next: EditionID? = nil, filler: EditionID? = nil, isHurried: Bool = false) {
        (self.current, self.next, self.filler, self.isHurried) = (current, next, filler, isHurried)
    }
}

// Which edition fills the gaps of the served one.
