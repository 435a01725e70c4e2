package import Wire

/// The answers to events since the coordinator started, counted.
package struct EventTally: Equatable, Sendable {
    package private(set) var accepted = 0
    package private(set) var duplicate = 0
    package private(set) var superseded = 0
    /// The refused events by the field that is wrong.
    package private(set) var refused: [String: Int] = [:]
    /// The events that were answered busy, by the reason, as clients are told it.
    package private(set) var busy: [String: Int] = Dictionary(
        uniqueKeysWithValues: BusyReason.allCases.map { ($0.rawValue, 0) })

    /// The most fields that are told apart: their names come from the poster.
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

    /// Returns the outermost field, if it looks like one of ours.
    private func name(of field: String) -> String {
        let outermost = field.prefix { $0.isASCII && $0.isLetter }
        guard !outermost.isEmpty, outermost.count <= Self.longestField else { return Self.otherField }
        let name = String(outermost)
        return refused[name] != nil || refused.count < Self.mostFields ? name : Self.otherField
    }
}
