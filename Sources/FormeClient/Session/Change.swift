import Wire

/// One thing to do to the rows of a window. Places count from its first row, as it is when the change is done.
public struct Change: Hashable, Sendable {
    public var kind: Kind
    /// By how much all rows together are higher.
    public var heightDelta: Int64
    public var effect: Effect
    public var reason: Reason

    public enum Kind: Hashable, Sendable {
        case insert(at: Int, count: Int)
        case remove(at: Int, count: Int)
        /// Another revision.
        case replace(at: Int)
        /// The second place is one among the others, when the row is not among them.
        case move(from: Int, to: Int)
        /// The same content, dressed in another way.
        case redecorate(at: Int)
    }

    /// What is different about a row.
    public enum Effect: Hashable, Sendable {
        case nothing
        /// How it looks, and nothing about where anything stands.
        case appearance
        case geometry
    }

    /// What a client animates, and what not.
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
