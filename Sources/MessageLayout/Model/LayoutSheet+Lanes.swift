/// Single layouts, in and out of lanes.
extension LayoutSheet {
    /// The number of groups of targets that share lanes.
    package var groupCount: Int { (targets.count + Lanes.scalarCount - 1) / Lanes.scalarCount }
    /// The number of layouts of a target.
    package var columnCount: Int { Int(variantCount * stateCount) }

    /// Begins the sheet of another message, without any layout. Memory is used again.
    mutating func begin(_ skeleton: Skeleton, _ targets: [Target], variants: Int, states: Int) {
        (self.skeleton, self.targets) = (skeleton, targets)
        (variantCount, stateCount) = (Int32(variants), Int32(states))
        sizes.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        blocks.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        // Most messages have none of these, and to empty a list costs as much where it is empty.
        if !extras.isEmpty { extras.removeAll(keepingCapacity: true) }
        if !spans.isEmpty { spans.removeAll(keepingCapacity: true) }
        if !bars.isEmpty { bars.removeAll(keepingCapacity: true) }
    }

    /// Begins the sheet of another message, with layouts in which nothing is there yet.
    package mutating func begin(_ targets: [Target], variants: Int, states: Int) {
        begin(skeleton, targets, variants: variants, states: states)
        let count = groupCount * columnCount
        sizes = Array(repeating: Sizes(), count: count)
        frames = Array(repeating: .absent, count: count * skeleton.nodes.count)
    }

    /// The place of a layout in `sizes`. Its first node's place in `frames` is that times the number of nodes.
    @inlinable
    package func place(_ group: Int, _ column: Int) -> Int { group * columnCount + column }

    private func column(_ variant: Int, _ state: Int) -> Int { variant * Int(stateCount) + state }

    package func slice(target: Int, variant: Int, state: Int = 0) -> Slice {
        let (group, lane) = target.quotientAndRemainder(dividingBy: Lanes.scalarCount)
        let own = place(group, column(variant, state))
        return Slice(
            size: PixelSize(width: sizes[own].width[lane], height: sizes[own].height[lane]),
            stamp: StampMode(rawValue: UInt8(sizes[own].stamp[lane]))!, placements: 0)
    }

    /// The placements of a layout, one for each node.
    package func placements(target: Int, variant: Int, state: Int = 0) -> [Placement] {
        let (group, lane) = target.quotientAndRemainder(dividingBy: Lanes.scalarCount)
        let first = place(group, column(variant, state)) * skeleton.nodes.count
        return (first..<first + skeleton.nodes.count).map { placement(frames[$0], lane) }
    }

    private func placement(_ own: Frames, _ lane: Int) -> Placement {
        guard own.isPresent[lane] else { return .absent }
        var placement = Placement(
            frame: PixelRect(
                left: own.left[lane], top: own.top[lane], width: own.width[lane], height: own.height[lane]),
            radius: own.radius[lane], block: own.block[lane])
        guard own.extras >= 0 else { return placement }
        let more = extras[Int(own.extras)]
        placement.fill = PixelSize(width: more.fillWidth[lane], height: more.fillHeight[lane])
        placement.bars = more.firstBar[lane]..<more.endBar[lane]
        return placement
    }

    /// Puts a layout in its place. Its blocks and bars are in the sheet.
    package mutating func set(
        _ slice: Slice, _ placements: [Placement], target: Int, variant: Int, state: Int = 0
    ) {
        let (group, lane) = target.quotientAndRemainder(dividingBy: Lanes.scalarCount)
        let own = place(group, column(variant, state))
        (sizes[own].width[lane], sizes[own].height[lane]) = (slice.size.width, slice.size.height)
        sizes[own].stamp[lane] = Int32(slice.stamp.rawValue)
        for (node, placement) in placements.enumerated() where placement.isPresent {
            set(placement, at: own * skeleton.nodes.count + node, lane)
        }
    }

    private mutating func set(_ placement: Placement, at place: Int, _ lane: Int) {
        frames[place].isPresent[lane] = true
        (frames[place].left[lane], frames[place].top[lane]) = (placement.frame.left, placement.frame.top)
        (frames[place].width[lane], frames[place].height[lane]) = (placement.frame.width, placement.frame.height)
        (frames[place].radius[lane], frames[place].block[lane]) = (placement.radius, placement.block)
        guard placement.fill != .zero || !placement.bars.isEmpty else { return }
        if frames[place].extras < 0 {
            frames[place].extras = Int32(extras.count)
            extras.append(Extras())
        }
        let more = Int(frames[place].extras)
        (extras[more].fillWidth[lane], extras[more].fillHeight[lane]) = (placement.fill.width, placement.fill.height)
        (extras[more].firstBar[lane], extras[more].endBar[lane]) = (
            placement.bars.lowerBound, placement.bars.upperBound
        )
    }

    /// Drops the expanded layouts, where nothing can be expanded after all.
    mutating func dropStates() {
        let nodes = skeleton.nodes.count
        var (single, all) = ([Sizes](), [Frames]())
        for place in stride(from: 0, to: sizes.count, by: 2) {
            single.append(sizes[place])
            all += frames[place * nodes..<(place + 1) * nodes]
        }
        (sizes, frames, stateCount) = (single, all, 1)
    }

    /// Whether layouts of both states are the same, down to the places of their blocks.
    var areStatesAlike: Bool {
        let nodes = skeleton.nodes.count
        return stride(from: 0, to: sizes.count, by: 2).allSatisfy { place in
            sizes[place] == sizes[place + 1]
                && (place * nodes..<(place + 1) * nodes).allSatisfy {
                    frames[$0].isAlike(frames[$0 + nodes]) && areExtrasAlike(frames[$0], frames[$0 + nodes])
                }
        }
    }

    private func areExtrasAlike(_ one: Frames, _ other: Frames) -> Bool {
        guard one.extras >= 0, other.extras >= 0 else { return one.extras == other.extras }
        return extras[Int(one.extras)] == extras[Int(other.extras)]
    }
}

extension LayoutSheet.Frames {
    fileprivate func isAlike(_ other: Self) -> Bool {
        isPresent.isSame(as: other.isPresent) && left == other.left && top == other.top && width == other.width
            && height == other.height && radius == other.radius && block == other.block
    }
}
