import Bytes

/// Asks the solver why a layout is as it is. It knows nothing of how parts share their room: it asks.
///
/// - The room that a part was offered: another part that takes all it gets is put in its place, and the layout solved.
/// - Whether that room grows with the row: the same, with more room for all.
/// - The reach of a part alone: it is fitted once more, with a new account.
struct Inquiry: ~Copyable {
    private let plan: Plan
    private let texts: TextShelf
    private let metrics: TargetMetrics
    private let variant: Int
    private let isExpanded: Bool
    private var solver: Solver
    /// Parts as the layout in question left them; the solver's own change with every question.
    private let solved: [Solved]
    let size: PixelSize
    let stamp: StampMode
    let reach: Explanation.Reach

    init(_ plan: Plan, texts: TextShelf, metrics: TargetMetrics, variant: Int, isExpanded: Bool) {
        (self.plan, self.texts, self.metrics) = (plan, texts, metrics)
        (self.variant, self.isExpanded) = (variant, isExpanded)
        var solver = Self.solver(plan, texts, metrics)
        let size = solver.solve(variant: variant, isExpanded: isExpanded)
        self.size = PixelSize(width: size.width[0], height: size.height[0])
        stamp = StampMode(rawValue: UInt8(solver.stampMode[0]))!
        var solved: [Solved] = []
        for i in plan.shapes.indices { solved.append(Solved(solver.parts[i], solver.texts.broken[i])) }
        self.solved = solved
        reach = Explanation.Reach(solver, metrics)
        self.solver = solver
    }

    mutating func parts() -> [Explanation.Part] {
        var parts: [Explanation.Part] = []
        var reaches: [Reach?] = []
        var open: [Int] = []  // ends of the parts around
        var i = 0
        while i < plan.shapes.count {
            while let end = open.last, end <= i { open.removeLast() }
            var part = part(i, depth: open.count)
            part.room = part.fate == .isThere ? room(of: i) : nil
            if part.room == nil { part.asked = nil }
            parts.append(part)
            reaches.append(part.room.map { reach(of: i, in: $0) })
            let end = Int(plan.shapes[i].end)
            open.append(end)
            i = part.fate == .isThere ? i + 1 : end
        }
        markEnds(&parts, reaches)
        return parts
    }

    private func part(_ i: Int, depth: Int) -> Explanation.Part {
        let (shape, state) = (plan.shapes[i], solved[i])
        let operation = "\(shape.operation)"
        let word = shape.node >= 0 ? plan.skeleton.text(of: plan.skeleton.nodes[Int(shape.node)].part) : ""
        var lines: Explanation.Lines?
        if shape.operation == .text, state.isPresent { lines = state.lines }
        return Explanation.Part(
            name: word.isEmpty ? operation : word, operation: operation, depth: depth, fate: fate(shape, state),
            room: nil, asked: state.width, frame: shown(state.frame), lines: lines)
    }

    private func shown(_ frame: PixelRect) -> PixelRect {
        guard metrics.target.isMirrored else { return frame }
        return PixelRect(left: size.width - frame.right, top: frame.top, width: frame.width, height: frame.height)
    }

    private func fate(_ shape: Shape, _ state: Solved) -> Explanation.Fate {
        if state.isPresent { return .isThere }
        if shape.variants & 1 << UInt8(variant) == 0 { return .otherVariant }
        return shape.shows == .always ? .leftOut : .otherState
    }
}

// Questions to the solver.
extension Inquiry {
    /// The room that part `i` is asked to fit into; nil where it is given a width without being asked.
    private func room(of i: Int) -> Explanation.Room? {
        var solver = Self.solver(plan.probing(i), texts, metrics)
        let row = reach.room
        guard let pixels = width(of: i, inRoom: row, &solver) else { return nil }
        return Explanation.Room(pixels: pixels, isElastic: width(of: i, inRoom: row + 1000, &solver) != pixels)
    }

    private static func solver(_ plan: Plan, _ texts: TextShelf, _ metrics: TargetMetrics) -> Solver {
        var solver = Solver(texts: texts, screens: [metrics])
        solver.take(plan)
        solver.turn(to: 0)
        return solver
    }

    /// The width that part `i` asks for when the whole has this room; nil if it is not asked.
    private func width(of i: Int, inRoom room: Int32, _ solver: inout Solver) -> Int32? {
        _ = solver.solve(variant: variant, isExpanded: isExpanded)
        solver.parts[i].fitted = Lanes(repeating: -1)
        (solver.tail, solver.wasCut) = (.none, .none)
        let width = solver.fit(0, Room(pixels: Lanes(repeating: room), isElastic: .all))
        solver.tail = .none
        _ = solver.place(0, Lanes(), Lanes(), width)
        return solver.parts[i].fitted[0] < 0 ? nil : solver.parts[i].fitted[0]
    }

    private struct Reach: Equatable {
        var slack: Int32
        var isWiderOpen: Bool
    }

    private mutating func reach(of i: Int, in room: Explanation.Room) -> Reach {
        solver.account = Account()
        let pixels = Lanes(repeating: room.pixels)
        _ = solver.fit(i, Room(pixels: pixels, isElastic: LaneMask(repeating: room.isElastic)))
        return Reach(slack: solver.account.slack[0], isWiderOpen: solver.account.isWiderOpen[0])
    }

    /// A part ends the reach when it alone would, and none of the parts in it would.
    private func markEnds(_ parts: inout [Explanation.Part], _ reaches: [Reach?]) {
        for place in parts.indices {
            guard let own = reaches[place] else { continue }
            let inside = parts[(place + 1)...].prefix { $0.depth > parts[place].depth }.indices
            if let slack = reach.slack, own.slack == slack {
                parts[place].endsNarrower = !inside.contains { reaches[$0]?.slack == slack }
            }
            if !own.isWiderOpen {
                parts[place].endsWider = !inside.contains { reaches[$0]?.isWiderOpen == false }
            }
        }
    }
}

extension Plan {
    /// The plan with another part in the place of part `i`, one that is as wide as its room.
    fileprivate func probing(_ i: Int) -> Plan {
        var plan = self
        var probe = Shape(.mosaic)  // of no pictures
        probe.traits = shapes[i].traits.intersection(.takesRest)
        (probe.end, probe.node, probe.variants) = (shapes[i].end, shapes[i].node, shapes[i].variants)
        (probe.shows, probe.anchor, probe.alignment) = (shapes[i].shows, shapes[i].anchor, shapes[i].alignment)
        // A mosaic asks its cells for their pictures, and not for a width.
        probe.value = shapes[i..<Int(shapes[i].end)].first { $0.operation == .media }?.value ?? -1
        plan.shapes[i] = probe
        for inside in i + 1..<Int(probe.end) { plan.shapes[inside].variants = 0 }
        return plan
    }
}

/// A part as the solver found it.
private struct Solved {
    var isPresent: Bool
    var width: Int32
    var frame: PixelRect
    var lines: Explanation.Lines?

    init(_ part: PartState, _ text: BrokenText) {
        (isPresent, width) = (part.isPresent[0], part.fitted[0])
        frame = PixelRect(left: part.left[0], top: part.top[0], width: part.width[0], height: part.height[0])
        guard text.isKnown[0] else { return }
        lines = Explanation.Lines(
            count: Int(text.lineCount[0]), isWrapped: text.isWrapped[0], wasCut: text.wasCut[0])
    }
}

extension Explanation.Reach {
    fileprivate init(_ solver: borrowing Solver, _ metrics: TargetMetrics) {
        let slack = solver.account.slack[0]
        let rows = metrics.rows.rows(slack: slack, isWiderOpen: solver.account.isWiderOpen[0])
        self.init(
            row: metrics.rows.row, room: metrics.rows.rowRoom,
            slack: slack == .max ? nil : slack, isWiderOpen: solver.account.isWiderOpen[0],
            narrowest: rows.lowerBound, widest: rows.upperBound, classRows: metrics.rows.classRows)
    }
}
