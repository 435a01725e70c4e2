import Conversation
import Names
package import Wire

/// All changes of a window since the last update: at most one update comes in a frame.
public struct Update: Sendable {
    /// The window as it is now.
    public internal(set) var window: Window
    /// Whether all rows are others, or may be: the window was opened, opened afresh, or shown on another screen.
    public internal(set) var isWhole: Bool
    public internal(set) var link: Link
    /// The words of the gateway, in its order.
    package var words: [GatewayWord]

    public enum Link: Hashable, Sendable {
        case standing
        /// The gateway cannot be reached for now; it is tried again and again.
        case broken
    }

    /// A message that has no row, and the place where that would be.
    public struct Pending: Hashable, Sendable {
        public var message: String
        public var order: Int64
    }

    /// The changes to make, in this order; none where the window is whole.
    public var changes: [Change] { isWhole ? [] : words.flatMap(Change.list) }

    /// Messages that are accepted and not laid out yet, with the places where they will come.
    public var pending: [Pending] {
        words.compactMap { word in
            guard case .pending(_, let message, let order) = word else { return nil }
            return Pending(message: message.text, order: order)
        }
    }

    /// Messages that windows were opened around, or that were pending, which have no row and get none.
    public var unavailable: [Pending] {
        words.compactMap { word in
            guard case .unavailable(_, let message, let order) = word else { return nil }
            return Pending(message: message.text, order: order)
        }
    }

    /// The distances that the anchors of `hold` have moved. A client that scrolls as far sees them where they were. None
    /// where the window is whole: a part of the way would be told.
    public var moved: [Anchor: Int64] {
        guard !isWhole else { return [:] }
        var moved: [Anchor: Int64] = [:]
        for case .changes(let set) in words {
            for delta in set.anchors { moved[Anchor(delta.anchor), default: 0] &+= delta.delta }
        }
        return moved
    }

    /// Rows whose bodies have come.
    public var filled: [RowID] {
        words.flatMap { word -> [RowID] in
            guard case .rows(_, let rows) = word else { return [] }
            return rows.map { RowID(number: $0.number.number) }
        }
    }
}

extension GatewayWord {
    fileprivate var isOfMessageWithoutRow: Bool {
        switch self {
        case .pending, .unavailable: true
        case .window, .heights, .rows, .place, .changes, .adjusted, .done, .refused, .preview, .rejected, .ranges,
            .unreadable:
            false
        }
    }
}

extension Update {
    static func nothing(_ link: Link) -> Update { Update(window: .none, isWhole: false, link: link, words: []) }

    /// The number of words beyond which it is less work to compare all rows.
    private static let mostWords = 256

    mutating func add(_ word: GatewayWord) {
        let isNew = if case .window(let reply) = word { reply.part == .whole } else { false }
        if isNew || words.count >= Self.mostWords {
            // No other word says these again.
            words = words.filter(\.isOfMessageWithoutRow)
            isWhole = true
        }
        if words.count < Self.mostWords { words.append(word) }
    }
}
