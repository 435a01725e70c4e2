package import Wire

/// What events were answered since the coordinator started.
package struct EventTally: Equatable, Sendable {
    package private(set) var accepted = 0
    package private(set) var duplicate = 0
    package private(set) var superseded = 0
    /// By the field that is wrong.
    package private(set) var refused: [String: Int] = [:]
    /// By the reason, as clients are told it.
    package private(set) var busy: [String: Int] = Dictionary(
        uniqueKeysWithValues: BusyReason.allCases.map { ($0.rawValue, 0) })

    /// Fields that are told apart: names come from who posts.
    private static let mostFields = 32
    private static let otherField = "other"
    private static let longestField = 32

    package init() {}

    init(accepted: Int, duplicate: Int, superseded: Int, refused: [String: Int], busy: [String: Int]) {
        (self.accepted, self.duplicate, self.superseded) = (accepted, duplicate, superseded)
        (self.refused, self.busy) = (refused, busy)
    }

    package mutating func count(_ answer: EventAnswer) {
        switch answer {
        case .accepted: accepted += 1
        case .duplicate: duplicate += 1
        case .superseded: superseded += 1
        case .invalid(let field, _): refused[name(of: field), default: 0] += 1
        case .busy(_, let reason): busy[reason?.rawValue ?? Self.otherField, default: 0] += 1
        }
    }

    /// The outermost field, if it looks like one of ours.
    private func name(of field: String) -> String {
        let outermost = field.prefix { $0.isASCII && $0.isLetter }
        guard !outermost.isEmpty, outermost.count <= Self.longestField else { return Self.otherField }
        let name = String(outermost)
        return refused[name] != nil || refused.count < Self.mostFields ? name : Self.otherField
    }
}
