package import Wire

/// The editions as readers are told of them.
package struct EditionView: Equatable, Sendable {
    package var current: EditionID
    /// The edition that is laid out to take the place of the current one.
    package var next: EditionID?
    /// The edition that gives the rows that the current one lacks: nobody lays out the current one any more, or it is
    /// served before it is whole.
    package var filler: EditionID?
    /// Whether the next one is served as soon as it has the messages that readers look at.
    package var isHurried: Bool

    package init(current: EditionID, next: EditionID? = nil, filler: EditionID? = nil, isHurried: Bool = false) {
        (self.current, self.next, self.filler, self.isHurried) = (current, next, filler, isHurried)
    }
}
