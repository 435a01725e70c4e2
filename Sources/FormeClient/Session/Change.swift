import Wire

/// One change to the rows of a window. Places count from the window's first row, as it is when the change is made.
public struct Change: Hashable, Sendable {
    public var kind: Kind
    /// The change in height of all rows together.
    public var heightDelta: Int64
    public var effect: Effect
    public var reason: Reason

    public enum Kind: Hashable, Sendable {
        case insert(at: Int, count: Int)
        case remove(at: Int, count: Int)
        /// Another revision of the row.
        case replace(at: Int)
        /// Moves a row. The second place is counted without it.
        case move(from: Int, to: Int)
        /// The same content, dressed in another way.
        case redecorate(at: Int)
    }

    /// The difference in a row.
    public enum Effect: Hashable, Sendable {
        case nothing
        /// The look differs, but no place.
        case appearance
        case geometry
    }

    /// The reason of a change: it decides whether a client animates it.
    public enum Reason: Hashable, Sendable {
        case live, firstLoad, pagination, edit, style, trim
    }
}

extension Change {
    static func list(_ word: GatewayWord) -> [Change] {
        if case .changes(let set) = word { set.changes.map { Change($0) } } else { [] }
    }

    private init(_ change: WindowChange) {
        self.init(
            kind: Kind(change.kind), heightDelta: change.heightDelta, effect: Effect(change.change),
            reason: Reason(change.reason))
    }
}

extension Change.Kind {
    fileprivate init(_ kind: WindowChange.Kind) {
        self =
            switch kind {
            case .insert(let at, let rows): .insert(at: at, count: rows.count)
            case .remove(let at, let count): .remove(at: at, count: count)
            case .replace(let at, _): .replace(at: at)
            case .move(let from, let to, _): .move(from: from, to: to)
            case .redecorate(let at, _): .redecorate(at: at)
            }
    }
}

extension Change.Effect {
    fileprivate init(_ change: ChangeClass) {
        self =
            switch change {
            case .equal: .nothing
            case .appearance: .appearance
            case .geometry: .geometry
            }
    }
}

extension Change.Reason {
    fileprivate init(_ reason: ChangeReason) {
        self =
            switch reason {
            case .live: .live
            case .firstLoad: .firstLoad
            case .pagination: .pagination
            case .edit: .edit
            case .style: .style
            case .trim: .trim
            }
    }
}
