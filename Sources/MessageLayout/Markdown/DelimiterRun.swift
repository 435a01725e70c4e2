/// Equal marks in a row that may open or close a look: `**`, `_`, `~~`, `||`.
struct DelimiterRun {
    /// The part of the run that is left: closing takes from its start, opening from its end.
    var start: Int
    var end: Int
    let kind: Kind
    private let length: Int
    let canOpen: Bool
    let canClose: Bool

    enum Kind: Int {
        case star, underscore, strike, spoiler

        init?(_ unit: UInt16) {
            switch unit {
            case .star: self = .star
            case .underscore: self = .underscore
            case .tilde: self = .strike
            case .bar: self = .spoiler
            default: return nil
            }
        }

        var isEmphasis: Bool { self == .star || self == .underscore }
    }

    /// CommonMark's rule of flanking: a mark opens before a text and closes behind one. `_` does neither inside a word,
    /// and `~~` and `||` are always two.
    init?(_ kind: Kind, _ range: Range<Int>, before: Neighbour, after: Neighbour) {
        guard kind.isEmphasis || range.count == 2 else { return nil }
        let isLeft = after != .space && (after == .letter || before != .letter)
        let isRight = before != .space && (before == .letter || after != .letter)
        canOpen = isLeft && (kind != .underscore || !isRight || before == .punctuation)
        canClose = isRight && (kind != .underscore || !isLeft || after == .punctuation)
        guard canOpen || canClose else { return nil }
        self.kind = kind
        (start, end, length) = (range.lowerBound, range.upperBound, range.count)
    }

    var isEmpty: Bool { start == end }

    /// The number of marks that make a pair with those of `closer`; 0 if they do not match.
    func pairLength(with closer: DelimiterRun) -> Int {
        guard kind == closer.kind else { return 0 }
        guard kind.isEmphasis else { return 2 }
        // CommonMark's rule of three: `*a**b*` is no strong b.
        let isAmbiguous = canClose || closer.canOpen
        if isAmbiguous, (length + closer.length) % 3 == 0, length % 3 != 0 || closer.length % 3 != 0 { return 0 }
        return min(end - start, closer.end - closer.start) >= 2 ? 2 : 1
    }

    /// The class of a closer: closers of one class match the same openers.
    var closerClass: Int {
        kind.isEmphasis ? kind.rawValue * 6 + length % 3 * 2 + (canOpen ? 1 : 0) : 10 + kind.rawValue
    }

    static let closerClasses = 14
}
