/// The edges of a part that keep their distance when the part around it is stretched.
extension Pins {
    private static let across: Pins = [.start, .end]
    private static let down: Pins = [.top, .bottom]

    /// The pins of a part inside a part with these pins: a stretched part lets its content choose, any other carries
    /// it along.
    func with(_ inner: Pins) -> Pins {
        let horizontal = isSuperset(of: .across) ? inner.intersection(.across) : intersection(.across)
        let vertical = isSuperset(of: .down) ? inner.intersection(.down) : intersection(.down)
        return horizontal.union(vertical)
    }
}

extension Shape {
    /// The edges that keep their distance when the part around this one is stretched.
    func pins(in parent: Operation, at number: Int, isBehind: Bool) -> Pins {
        switch parent {
        case .stack:
            let down: Pins = traits.contains(.grows) ? [.top, .bottom] : isBehind ? .bottom : .top
            return down.union(across)
        case .row:
            let beside: Pins = traits.contains(.takesRest) ? [.start, .end] : isBehind ? .end : .start
            return beside.union(alignment == .end ? .bottom : .top)
        case .inset: return .all
        case .stamped: return number == 0 ? .all : [.end, .bottom]
        case .overlay: return number == 0 ? .all : anchor.pins
        case .flow, .grid, .mosaic, .box, .media, .bars, .text: return [.start, .top]
        }
    }

    private var across: Pins {
        if traits.contains(.follows) { return [.start, .end] }
        switch alignment {
        case .stretch, .center: return [.start, .end]
        case .start: return .start
        case .end: return .end
        }
    }
}

extension Shape.Anchor {
    fileprivate var pins: Pins {
        switch self {
        case .topStart, .top: [.top, .start]
        case .topEnd: [.top, .end]
        case .start, .center: [.start, .top]
        case .end: [.end, .top]
        case .bottomStart, .bottom: [.bottom, .start]
        case .bottomEnd: [.bottom, .end]
        case .fill: .all
        }
    }
}

extension Shape {
    /// Whether it is a stack that gives its parts an order and nothing else.
    var isPlainStack: Bool {
        operation == .stack && node < 0 && mostLines == 0 && minimum == .zero && maximum == .zero
            && alignment == .stretch && shows == .always && traits.isDisjoint(with: [.follows, .takesRest, .fills])
    }
}

extension Shape {
    /// The largest amount that a message may give: percent for a box, otherwise depth.
    var mostAmount: Int { operation == .box ? 100 : 16 }
}
