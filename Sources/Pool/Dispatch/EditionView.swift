package import Wire

/// What readers are told of editions.
package struct EditionView: Equatable, Sendable {
    package var current: EditionID
    /// It is laid out to take the place of the current one.
    package var next: EditionID?
    /// Rows that the current edition lacks are given from this one, as nobody lays out the current one any more.
    package var filler: EditionID?

    package init(current: EditionID, next: EditionID? = nil, filler: EditionID? = nil) {
        (self.current, self.next, self.filler) = (current, next, filler)
    }
}

// Which edition fills the gaps of the served one.
