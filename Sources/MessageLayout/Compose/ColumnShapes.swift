/// Which plans are columns.
extension Plan {
    /// Whether every node of a column has a width of its own or keeps to both sides, and stands above the text with the
    /// stamp or keeps to the bottom.
    var keepsDistances: Bool {
        guard shapes[0].node == 0, shapes.allSatisfy({ $0.operation != .text || $0.radius == .zero }) else {
            return false
        }
        var child = shapes[1].operation == .stack ? 2 : 1
        while child < shapes.count {
            let next = Int(shapes[child].end)
            if shapes[child].operation == .text {
                let across: Pins = shapes[child].alignment == .stretch ? [.start, .end] : shapes[child].alignment.pins
                guard !across.isEmpty, pins(of: child).intersection([.start, .end]) == across,
                    pins(of: child).intersection([.top, .bottom]) == .top
                else { return false }
            } else {
                guard next == shapes.count, shapes[child].node < 0,
                    pins(of: child + 1).isSuperset(of: [.start, .end, .top]),
                    (child + 2..<next).allSatisfy({ shapes[$0].node < 0 || keepsToEnd($0) })
                else { return false }
            }
            child = next
        }
        return true
    }

    private func pins(of part: Int) -> Pins {
        let node = skeleton.nodes[Int(shapes[part].node)]
        return node.parent == 0 ? node.pins : []
    }

    /// Whether it keeps to the end and the bottom of the bubble, or stands in what does.
    private func keepsToEnd(_ part: Int) -> Bool {
        skeleton.nodes[Int(shapes[part].node)].parent > 0 || pins(of: part) == [.end, .bottom]
    }
}

extension Shape.BoxAlignment {
    /// The one edge that something so aligned keeps to.
    fileprivate var pins: Pins {
        switch self {
        case .start: .start
        case .end: .end
        case .center, .stretch: []
        }
    }
}

extension [Shape] {
    /// Texts in an inset, one of them with a stamp that is the same on every row.
    var isColumn: Bool {
        guard count >= 4, self[0].operation == .inset, self[0].maximum == .zero, self[0].isUsual,
            Int(self[1].end) == count
        else { return false }
        if self[1].isPlainStack {
            var (child, stamps) = (2, 0)
            while child < count {
                if self[child].operation == .stamped { stamps += 1 }
                guard isColumnText(child) || isColumnStamp(child) else { return false }
                child = Int(self[child].end)
            }
            return stamps == 1
        }
        return isColumnStamp(1)
    }

    private func isColumnText(_ i: Int) -> Bool {
        self[i].operation == .text && self[i].isUsual && self[i].minimum == .zero && self[i].maximum == .zero
    }

    /// A text and behind it a row.
    private func isColumnStamp(_ i: Int) -> Bool {
        self[i].operation == .stamped && self[i].isUsual && self[i].minimum == .zero && self[i].maximum == .zero
            && self[i].alignment == .stretch && i + 2 < count && isColumnText(i + 1)
            && self[i + 1].alignment == .stretch && self[i + 1].variants & self[i].variants == self[i].variants
            && self[i + 2].operation == .row && self[i + 2].end == self[i].end
            && self[i + 2].variants & self[i].variants == self[i].variants && self[i + 2].shows == .always
    }
}

extension Shape {
    /// There whenever its variant is, and with a width of its own.
    fileprivate var isUsual: Bool {
        shows == .always && traits.isDisjoint(with: [.follows, .takesRest, .fills])
    }

    /// A stack that asks for nothing but an order.
    var isPlainStack: Bool {
        operation == .stack && node < 0 && mostLines == 0 && minimum == .zero && maximum == .zero
            && alignment == .stretch && isUsual
    }
}
