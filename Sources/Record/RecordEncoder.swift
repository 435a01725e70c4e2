package import Bytes
package import MessageLayout
import Typography

/// Writes layout sheets as layout records. It keeps its memory from one message to the next, so a warm one allocates
/// nothing: give each lane its own.
///
///     var encoder = RecordEncoder()
///     try encoder.encode(sheet, into: &bytes)
///
/// A layout is a shape and what fills it. Shapes say where nodes are, in points wherever that is exact and without the
/// sizes of texts, so that all widths and scales share them; contents are the lines. Tables hold each once.
package struct RecordEncoder: ~Copyable {
    var record = Buffer<UInt8>(capacity: 1024)
    /// The shared part, and what it says; empty before the first message.
    var shared = Buffer<UInt8>(capacity: 512)
    var skeleton = Skeleton()
    var columns = Buffer<UInt8>()
    var shapes = ChunkTable()
    var places = PlaceTable()
    var contents = ChunkTable()
    var faces = FaceTable()

    /// What layouts ask of each node; known as long as the skeleton stays.
    var nodes = Buffer<NodeForm>()
    /// For each target, variant and state a place in `layouts`.
    var slots = Buffer<Int32>()
    var layouts = Buffer<Layout>()
    /// Shapes of this message, by what they say: most are asked for at every scale. One that is forgotten is written again,
    /// and found by its bytes.
    var knownShapes = Buffer<KnownShape>(capacity: KnownShape.places)
    /// Of each layout the numbers of its contents, from 1: two for each node, lines and bars.
    var fills = Buffer<Int32>()
    /// Of arrangements in this message, for each node the number of its place, from 1; 0 for an absent one.
    var placeNumbers = Buffer<Int32>()
    /// What is known of the arrangements of one origin, also from messages before: of each, for each node a chunk of
    /// `places`, or -1.
    var origin = LayoutSheet.Origin.unknown
    var arrangements = Buffer<Arrangement>()
    var arrangedPlaces = Buffer<Int32>()
    /// The nodes in which texts stand.
    var arrangedTexts = Buffer<Int32>()
    var message: UInt64 = 0
    /// Which of the two of each node are ever filled.
    var filled = Buffer<Bool>()
    /// The numbers of all slots, by what they are of; then by variant, state and target.
    var columnNumbers = Buffer<Int32>()
    /// For each slice its layout.
    var knownSlices = Buffer<KnownSlice>()
    var knownBlocks = Buffer<KnownBlock>()
    /// Places at this scale, and for each node the last of them, each with the one before it.
    var knownPlaces = Buffer<KnownPlace>()
    var lastPlaces = Buffer<Int32>()
    /// For each variant and state its last layout at this scale.
    var lastLayouts = Buffer<Int32>()
    /// Chunks of places of the layout at work, one for each node.
    var chunks = Buffer<Int32>()
    /// Lines at the first scale, which others may be like; for each node the last of them, each with the one before it.
    var originals = Buffer<Original>()
    var lastOriginals = Buffer<Int32>()
    /// For each node the last of its blocks that was not known.
    var lastBlocks = Buffer<Int32>()
    /// Of the target at work, and of the first.
    var scale = Scale.one
    var firstScale = Scale.one
    /// The targets of the last sheet, and what a record says of them: mostly they are the same.
    var targets: [Target] = []
    var targetBytes = Buffer<UInt8>()

    package init() { knownShapes.append(repeating: KnownShape(), count: KnownShape.places) }

    /// Replaces `bytes` with the record of a sheet. Throws where the sheet is larger than a record may be.
    package mutating func encode(_ sheet: LayoutSheet, into bytes: inout [UInt8]) throws(ByteError) {
        try RecordLimits.check(sheet)
        removeAll()
        // Messages of a kind mostly share their skeleton, down to its memory.
        if shared.count == 0 || skeleton != sheet.skeleton {
            skeleton = sheet.skeleton
            shared.removeAll()
            shared.append(skeleton)
            nodes.removeAll()
            for node in skeleton.nodes { nodes.append(NodeForm(node, in: skeleton)) }
        }
        if origin !== sheet.origin {
            origin = sheet.origin
            forgetArrangements()
        }
        if targetBytes.count == 0 || targets != sheet.targets {
            targets = sheet.targets
            targetBytes.removeAll()
            targetBytes.append(targets)
        }
        encodeSlots(of: sheet)
        encodeColumns(of: sheet)
        assemble(sheet)
        guard places.count < RecordLimits.places else {
            throw .tooLong(places.count, limit: RecordLimits.places, of: "places")
        }
        guard record.count <= RecordLimits.record else {
            throw .tooLong(record.count, limit: RecordLimits.record, of: "record")
        }
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: record.elements)
    }

    private mutating func removeAll() {
        record.removeAll()
        columns.removeAll()
        shapes.removeAll()
        if !places.begin() { forgetArrangements() }
        contents.removeAll()
        faces.removeAll()
        slots.removeAll()
        layouts.removeAll()
        fills.removeAll()
        placeNumbers.removeAll()
        filled.removeAll()
        columnNumbers.removeAll()
        knownSlices.removeAll()
        knownBlocks.removeAll()
        knownPlaces.removeAll()
        lastPlaces.removeAll()
        lastLayouts.removeAll()
        message += 1
        originals.removeAll()
        lastOriginals.removeAll()
        lastBlocks.removeAll()
    }

    mutating func forgetArrangements() {
        arrangements.removeAll()
        arrangedPlaces.removeAll()
        arrangedTexts.removeAll()
    }

    /// Sizes stand before tables, so that a cutter knows where each begins.
    private mutating func assemble(_ sheet: LayoutSheet) {
        record.append(RecordForm.version)
        record.number(shared.count)
        unsafe record.append(shared.elements)
        unsafe record.append(targetBytes.elements)
        record.append(sheet.reaches, of: sheet.targets)
        record.number(sheet.variantCount)
        record.number(sheet.stateCount)
        record.number(columns.count)
        record.number(shapes.count)
        record.number(shapes.bytes.count)
        record.number(places.count)
        record.number(places.bytes.count)
        record.number(faces.chunks.count)
        record.number(faces.chunks.bytes.count)
        record.number(contents.count)
        record.number(contents.bytes.count)
        unsafe record.append(columns.elements)
        unsafe record.append(shapes.bytes.elements)
        unsafe record.append(places.bytes.elements)
        unsafe record.append(faces.chunks.bytes.elements)
        unsafe record.append(contents.bytes.elements)
    }
}

extension RecordEncoder {
    /// What layouts ask of a node.
    struct NodeForm {
        var parent: Int32
        var sides: PlaceNumbers.Sides
        var alignment: Alignment

        init(_ node: Skeleton.Node, in skeleton: Skeleton) {
            (parent, sides) = (node.parent, PlaceNumbers.Sides(node.pins))
            alignment = node.text < 0 ? .start : skeleton.texts[Int(node.text)].alignment
        }
    }

    /// A layout, replaced by numbers.
    struct Layout {
        var stamp: StampMode
        /// How much wider and higher it is than its lines.
        var width: Int32
        var height: Int32
        /// Where its places begin in `placeNumbers`.
        var places: Int32
        /// From 1.
        var shape: Int32 = 0
    }

    struct KnownShape {
        var message: UInt64 = 0
        var head: UInt32 = 0
        var width: UInt32 = 0
        var height: UInt32 = 0
        var places: Int32 = 0
        /// From 1.
        var number: Int32 = 0

        /// A power of two.
        static let places = 64

        @inline(__always)
        var place: Int {
            let mixed = (width &* 31 &+ height) &* 31 &+ UInt32(bitPattern: places) &* 7 &+ head
            return Int((mixed &* 0x9e37_79b9) >> 26)
        }

        @inline(__always)
        func isLike(_ other: KnownShape) -> Bool {
            message == other.message && head == other.head && width == other.width && height == other.height
                && places == other.places
        }
    }

    /// A layout is the same only at one scale.
    struct KnownSlice {
        var layout: Int32 = -1
        var scale: Int32 = 0
        var isMirrored = false

        @inline(__always)
        func serves(_ scale: Scale, _ isMirrored: Bool) -> Bool {
            layout >= 0 && self.scale == scale.thousandths && self.isMirrored == isMirrored
        }
    }

    struct KnownBlock {
        var node: Int32 = -1
        var scale: Int32 = 0
        /// Of the node; any is as good where lines begin at its left edge.
        var width: Int32 = 0
        var isOfAnyWidth = false
        /// From 1.
        var content: Int32 = 0
        /// Of its lines.
        var widest: Int32 = 0
        var height: Int32 = 0

        @inline(__always)
        func serves(_ node: Int, _ width: Int32, _ scale: Scale) -> Bool {
            self.node == Int32(truncatingIfNeeded: node) && self.scale == scale.thousandths
                && (isOfAnyWidth || self.width == width)
        }
    }

    /// How nodes are arranged at one scale.
    struct Arrangement {
        /// Where its chunks are in `arrangedPlaces`; -1 while it is not known.
        var chunks: Int32 = -1
        var texts: Int32 = 0
        var textCount: Int32 = 0
        /// The last message that had it, and where it is in that one's `placeNumbers`.
        var message: UInt64 = 0
        var places: Int32 = 0
    }

    struct KnownPlace {
        var numbers: PlaceNumbers
        var chunk: Int32
        var before: Int32
    }

    struct Original {
        var content: Int32
        var lines: Range<Int32>
        var before: Int32
    }
}
