package import Typography

/// All layouts of one message: for each target, variant and state, where everything stands. Layouts that are equal are
/// there once.
///
/// It is one level of arrays, and not a model in a model, because a hundred thousand a second are made.
package struct LayoutSheet: Equatable, Sendable {
    package var skeleton = Skeleton()
    /// Widest first among those that share everything else.
    package var targets: [Target] = []
    /// One for each target.
    package var reaches: [Reach] = []
    package var variantCount: Int32 = 0
    /// 2 when something can be expanded: collapsed, then expanded.
    package var stateCount: Int32 = 1
    /// For each target, variant and state, in this order of nesting, a place in `slices`.
    package var slots: [Int32] = []
    package var slices: [Slice] = []
    /// For each slice that is no outline, one for each node of the skeleton.
    package var placements: [Placement] = []
    /// For each outline one for each text in it, in the order of nodes.
    package var fills: [Fill] = []
    package var blocks: [Block] = []
    package var lines: [BlockLine] = []
    /// Rectangles of entities.
    package var spans: [EntitySpan] = []
    package var bars: [UInt8] = []
    /// Who made it, and numbers its arrangements.
    package var origin = Origin.unknown
    /// What outlines are told from, by number.
    package var arrangements: [Arrangement] = []

    package init() {}

    package static func == (one: LayoutSheet, other: LayoutSheet) -> Bool {
        one.skeleton == other.skeleton && one.targets == other.targets && one.reaches == other.reaches
            && one.variantCount == other.variantCount && one.stateCount == other.stateCount
            && one.slots == other.slots && one.slices == other.slices && one.placements == other.placements
            && one.fills == other.fills && one.blocks == other.blocks && one.lines == other.lines
            && one.spans == other.spans
            && one.bars == other.bars
    }

    /// Something that makes sheets.
    package final class Origin: Sendable {
        package static let unknown = Origin()

        package init() {}
    }

    /// For which rows the layouts of a target hold, whatever the variant and the state. Its own row is among them.
    package struct Reach: Hashable, Sendable {
        /// In device pixels; `unbounded` is no limit.
        package var narrowest: Int32
        package var widest: Int32
        /// Width that the content would have if the row had no end: the same for targets that differ in width alone.
        package var naturalWidth: Int32

        package static let unbounded = Int32.max
        package static let unlimited = Reach(narrowest: 0, widest: unbounded, naturalWidth: 0)

        package init(narrowest: Int32, widest: Int32, naturalWidth: Int32) {
            self.narrowest = narrowest
            self.widest = widest
            self.naturalWidth = naturalWidth
        }
    }

    /// One layout.
    package struct Slice: Hashable, Sendable {
        package var size: PixelSize
        /// Of what has the stamp's role, how it was placed.
        package var stamp: StampMode
        /// Where its placements begin; of an outline, where its fills do.
        package var placements: Int32
        /// Whether only the texts in it are told, and everything else follows from its arrangement.
        package var isOutline = false
        /// How its nodes are arranged; -1 where that is not known. It spares an encoder to find out, and says nothing more:
        /// sheets are equal without.
        ///
        /// In all slices of the same origin with the same arrangement, also in those of other messages, at one scale, every
        /// node keeps the same distances from the edges that it is pinned to, and the same length where it is pinned to
        /// one and not as long as its lines.
        package var arrangement: Int32

        package init(
            size: PixelSize, stamp: StampMode, placements: Int32, isOutline: Bool = false, arrangement: Int32 = -1
        ) {
            self.size = size
            self.stamp = stamp
            self.placements = placements
            self.isOutline = isOutline
            self.arrangement = arrangement
        }

        package static func == (one: Slice, other: Slice) -> Bool {
            one.size == other.size && one.stamp == other.stamp && one.placements == other.placements
                && one.isOutline == other.isOutline
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(size)
            hasher.combine(stamp)
            hasher.combine(placements)
        }
    }

    /// The lines of one text in an outline, and how wide its node is.
    package struct Fill: Hashable, Sendable {
        package var block: Int32
        package var width: Int32

        package init(block: Int32, width: Int32) {
            self.block = block
            self.width = width
        }
    }

    /// Where one node stands, in the coordinates of the content.
    package struct Placement: Hashable, Sendable {
        package var isPresent: Bool
        package var frame: PixelRect
        /// Of the corners that are round.
        package var radius: Int32
        /// Place in `blocks`; -1 for none.
        package var block: Int32
        /// Heights of bars: a stretch of `bars`.
        package var bars: Range<Int32>
        /// What of a picture is shown: the size to which it is scaled, of which the frame cuts out the middle. Zero for none.
        package var fill: PixelSize

        package static let absent = Placement(isPresent: false, frame: .zero)

        package init(
            isPresent: Bool = true, frame: PixelRect, radius: Int32 = 0, block: Int32 = -1, bars: Range<Int32> = 0..<0,
            fill: PixelSize = .zero
        ) {
            self.isPresent = isPresent
            self.frame = frame
            self.radius = radius
            self.block = block
            self.bars = bars
            self.fill = fill
        }
    }

    /// The lines of a text node. Tops and baselines are regular: line n is n × pitch lower than the first.
    package struct Block: Hashable, Sendable {
        /// In 1/64 device pixel.
        package var fontSize: Int32
        package var pitch: Int32
        /// From the top of a line to its baseline.
        package var ascent: Int32
        package var lines: Range<Int32>
        package var spans: Range<Int32>
        /// How many lines come before these that are not here.
        package var firstLine: Int32

        package init(
            fontSize: Int32, pitch: Int32, ascent: Int32, lines: Range<Int32>, spans: Range<Int32>, firstLine: Int32 = 0
        ) {
            self.fontSize = fontSize
            self.pitch = pitch
            self.ascent = ascent
            self.lines = lines
            self.spans = spans
            self.firstLine = firstLine
        }
    }

    /// A line: lines tile their text, but for what truncation leaves out at its end.
    package struct BlockLine: Hashable, Sendable {
        package var start: Int32
        package var end: Int32
        /// From the left edge of the node.
        package var left: Int32
        package var width: Int32
        package var traits: LineTraits

        package init(start: Int32, end: Int32, left: Int32, width: Int32, traits: LineTraits) {
            self.start = start
            self.end = end
            self.left = left
            self.width = width
            self.traits = traits
        }
    }

    /// What an entity covers on one line, from the left edge of the node; top and height are the line's.
    package struct EntitySpan: Hashable, Sendable {
        package var entity: Int32
        package var line: Int32
        package var left: Int32
        package var width: Int32

        package init(entity: Int32, line: Int32, left: Int32, width: Int32) {
            self.entity = entity
            self.line = line
            self.left = left
            self.width = width
        }
    }
}

/// How the stamp (time and status) found its place.
package enum StampMode: UInt8, CaseIterable, Sendable {
    case none = 0
    /// Behind the last line, where there was room.
    case tucked
    /// Behind the last line, which made the bubble wider.
    case widened
    case ownLine
    case overMedia
}
