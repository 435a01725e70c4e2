/// How the nodes of layouts are arranged that differ in their texts alone: where each node is, told from the edges of its
/// parent that it is pinned to. It was taken from one layout, and gives the placements of all others.
package struct Arrangement: Equatable, Sendable {
    private var nodes: [Node]
    private let isMirrored: Bool

    private struct Node: Equatable, Sendable {
        /// As it was in that layout; absent nodes are absent in all.
        var placement: LayoutSheet.Placement
        var parent: Int
        var across: Side
        var down: Side
        /// Whether it is as wide as its lines, and as high.
        var isHugging = false
        var isStacked = false
    }

    /// An axis: distances of both ends from those of the parent, the length, and which of them stay.
    private struct Side: Equatable, Sendable {
        var (start, end, length): (Int32, Int32, Int32)
        var (keepsStart, keepsEnd): (Bool, Bool)

        init(_ own: (Int32, Int32), in outer: (Int32, Int32), keepsStart: Bool, keepsEnd: Bool) {
            (start, end, length) = (own.0 &- outer.0, outer.1 &- own.1, own.1 &- own.0)
            (self.keepsStart, self.keepsEnd) = (keepsStart, keepsEnd)
        }

        /// In a parent of another length.
        func place(in outer: (Int32, Int32), length other: Int32?) -> (Int32, Int32) {
            if keepsStart, keepsEnd { return (outer.0 &+ start, outer.1 &- end) }
            let length = other ?? length
            if keepsEnd { return (outer.1 &- end &- length, outer.1 &- end) }
            return (outer.0 &+ start, outer.0 &+ start &+ length)
        }
    }

    /// Of one layout, whose placements these are.
    init(
        _ placements: [LayoutSheet.Placement], of size: PixelSize, skeleton: Skeleton, isMirrored: Bool,
        lines: (LayoutSheet.Placement) -> PixelSize
    ) {
        self.isMirrored = isMirrored
        nodes = []
        for (place, node) in skeleton.nodes.enumerated() {
            var own = placements[place]
            if isMirrored, own.isPresent { own.frame.flip(in: size.width) }
            let parent = Int(node.parent)
            let isInside = parent >= 0 && placements[parent].isPresent
            let outer = isInside ? nodes[parent].placement.frame : PixelRect(size)
            var told = Node(
                placement: own, parent: isInside ? parent : -1,
                across: Side(
                    own.frame.across, in: outer.across, keepsStart: node.pins.contains(.start),
                    keepsEnd: node.pins.contains(.end)),
                down: Side(
                    own.frame.down, in: outer.down, keepsStart: node.pins.contains(.top),
                    keepsEnd: node.pins.contains(.bottom)))
            if own.block >= 0 {
                let lines = lines(own)
                told.isHugging = own.frame.width == lines.width
                told.isStacked = own.frame.height == lines.height
            }
            nodes.append(told)
        }
    }

    /// Of a layout so arranged, with its texts in the order of nodes.
    func placements(
        _ size: PixelSize, texts: ArraySlice<LayoutSheet.Fill>, lines: (LayoutSheet.Fill) -> PixelSize
    ) -> ArraySlice<LayoutSheet.Placement> {
        var texts = texts
        var placements: [LayoutSheet.Placement] = []
        for node in nodes {
            var own = node.placement
            if own.isPresent {
                let outer = node.parent >= 0 ? placements[node.parent].frame : PixelRect(size)
                var length = PixelSize(width: node.across.length, height: node.down.length)
                if own.block >= 0 {
                    let fill = texts.removeFirst()
                    let lines = lines(fill)
                    if node.isHugging { length.width = lines.width }
                    if node.isStacked { length.height = lines.height }
                    own.block = fill.block
                }
                let (left, right) = node.across.place(in: outer.across, length: length.width)
                let (top, bottom) = node.down.place(in: outer.down, length: length.height)
                own.frame = PixelRect(left: left, top: top, width: right &- left, height: bottom &- top)
            }
            placements.append(own)
        }
        if isMirrored {
            for i in placements.indices where placements[i].isPresent { placements[i].frame.flip(in: size.width) }
        }
        return placements[...]
    }
}

extension LayoutSheet {
    /// One for each node.
    package func placements(of slice: Slice) -> ArraySlice<Placement> {
        let first = Int(slice.placements)
        guard slice.isOutline else { return placements[first..<first + skeleton.nodes.count] }
        return arrangements[Int(slice.arrangement)].placements(slice.size, texts: fills[first...]) {
            size(of: $0.block)
        }
    }

    /// Of the lines of a block.
    func size(of block: Int32) -> PixelSize {
        let own = blocks[Int(block)]
        var width: Int32 = 0
        for line in own.lines { width = max(width, lines[Int(line)].width) }
        return PixelSize(width: width, height: own.pitch &* Int32(own.lines.count))
    }

    /// Puts placements in the place of outlines.
    package mutating func unfold() {
        guard slices.contains(where: \.isOutline) else { return }
        var all: [Placement] = []
        for i in slices.indices {
            let first = Int32(all.count)
            all += placements(of: slices[i])
            (slices[i].placements, slices[i].isOutline) = (first, false)
        }
        placements = all
        fills = []
    }
}

extension PixelRect {
    fileprivate init(_ size: PixelSize) { self.init(left: 0, top: 0, width: size.width, height: size.height) }

    /// Turns what is told from the start into what is told from the left, and back.
    fileprivate mutating func flip(in outer: Int32) { left = outer &- right }

    fileprivate var across: (Int32, Int32) { (left, left &+ width) }
    fileprivate var down: (Int32, Int32) { (top, top &+ height) }
}
