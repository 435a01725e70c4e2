import Wire

/// The sources of layouts for screens that nobody foresaw, by edition: each is found in the folder when it is first
/// needed.
struct EditionSources {
    private let own: LayoutSource?
    private let load: (EditionID) -> LayoutSource?
    /// The sources that were found; nil for an edition that cannot be laid out here.
    private var known: [EditionID: LayoutSource?] = [:]

    private static let mostKnown = 4

    init(own: LayoutSource?, load: @escaping (EditionID) -> LayoutSource?) { (self.own, self.load) = (own, load) }

    mutating func source(of edition: EditionID) -> LayoutSource? {
        if let own, own.edition == edition { return own }
        if let known = known[edition] { return known }
        if known.count >= Self.mostKnown { known = [:] }
        let found = load(edition)
        known[edition] = .some(found)
        return found
    }
}
