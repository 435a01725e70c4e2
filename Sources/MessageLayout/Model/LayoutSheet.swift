package import Typography

/// All layouts of one message: the places of its nodes for each target, variant and state.
///
/// Targets stand side by side in lanes, as they were solved: a fact about one of them mostly holds for all, and is
/// then found once.
package struct LayoutSheet: Equatable, Sendable {
    package var skeleton = Skeleton()
    /// Targets, the widest first among those that share everything else.
    package internal(set) var targets: [Target] = []
    /// One for each target.
    package var reaches: [Reach] = []
    package internal(set) var variantCount: Int32 = 0
    /// 2 when something can be expanded: collapsed, then expanded.
    package internal(set) var stateCount: Int32 = 1
    /// Sizes by group of targets, in it by variant, in that by state.
    package internal(set) var sizes: [Sizes] = []
    /// Frames in the same order, for each layout one for each node of the skeleton.
    package internal(set) var frames: [Frames] = []
    package internal(set) var extras: [Extras] = []
    package var blocks: [Block] = []
    package var lines: [BlockLine] = []
    /// Rectangles of entities.
    package var spans: [EntitySpan] = []
    package var bars: [UInt8] = []

    package init() {}

    /// Sizes and stamps of as many layouts as there are lanes.
    package struct Sizes: Hashable, Sendable {
        package var width = Lanes()
        package var height = Lanes()
        /// Raw values of `StampMode`.
        package var stamp = Lanes()
    }

    /// The places of one node in as many layouts; zero where it is absent.
    package struct Frames: Hashable, Sendable {
        package var isPresent = LaneMask(repeating: false)
        package var left = Lanes()
        package var top = Lanes()
        package var width = Lanes()
        package var height = Lanes()
        /// The radius of the corners that are round.
        package var radius = Lanes()
        /// Places in `blocks`; -1 for none.
        package var block = Lanes(repeating: -1)
        /// The place in `extras`; -1 for none.
        package var extras: Int32 = -1

        package static var absent: Frames { Frames() }
    }

    /// Numbers that pictures and bars have, and other nodes have not.
    package struct Extras: Hashable, Sendable {
        /// The size to which a picture is scaled; zero for none.
        package var fillWidth = Lanes()
        package var fillHeight = Lanes()
        /// A stretch of `bars`.
        package var firstBar = Lanes()
        package var endBar = Lanes()
    }

    /// The rows for which the layouts of a target hold, for all variants and states. Its own row is among them.
    package struct Reach: Hashable, Sendable {
        /// The narrowest and the widest row, in device pixels; `unbounded` is no limit.
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

    /// One layout on its own.
    package struct Slice: Hashable, Sendable {
        package var size: PixelSize
        /// The placement of the part that has the stamp's role.
        package var stamp: StampMode
        /// The place where its placements begin.
        package var placements: Int32

        package init(size: PixelSize, stamp: StampMode, placements: Int32) {
            self.size = size
            self.stamp = stamp
            self.placements = placements
        }
    }

    /// The place of one node, in the coordinates of the content.
    package struct Placement: Hashable, Sendable {
        package var isPresent: Bool
        package var frame: PixelRect
        /// The radius of the corners that are round.
        package var radius: Int32
        /// Place in `blocks`; -1 for none.
        package var block: Int32
        /// Heights of bars: a stretch of `bars`.
        package var bars: Range<Int32>
        /// The size to which a picture is scaled: the frame cuts out its middle. Zero for none.
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
        /// The size of its letters, in 1/64 device pixel.
        package var fontSize: Int32
        package var pitch: Int32
        /// The distance from the top of a line to its baseline.
        package var ascent: Int32
        package var lines: Range<Int32>
        package var spans: Range<Int32>
        /// The number of lines before these that are not here.
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

    /// A line: lines tile their text, except for the end that is truncated.
    package struct BlockLine: Hashable, Sendable {
        package var start: Int32
        package var end: Int32
        /// The distance from the left edge of the node.
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

    /// The stretch of one line that an entity covers, from the left edge of the node; top and height are the line's.
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

/// The way in which the stamp (time and status) found its place.
package enum StampMode: UInt8, CaseIterable, Sendable {
    case none = 0
    /// Behind the last line, where there was room.
    case tucked
    /// Behind the last line, which made the bubble wider.
    case widened
    case ownLine
    case overMedia
}
