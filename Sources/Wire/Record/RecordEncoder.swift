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
    var record = Column<UInt8>(capacity: 1024)
    /// The shared part, and what it says; empty before the first message.
    var shared = Column<UInt8>(capacity: 512)
    var skeleton = Skeleton()
    var columns = Column<UInt8>()
    var shapes = ChunkTable()
    var places = ChunkTable()
    var contents = ChunkTable()
    var faces = FaceTable()

    /// For each target, variant and state a place in `heads`.
    var slots = Column<Int32>()
    /// Layouts, and of each the numbers of its contents: two for each node, lines and bars, from 1.
    var heads = Column<Head>()
    var fills = Column<Int32>()
    /// Numbers of the places of a layout, until all are known.
    var placeNumbers = Column<Int32>()
    /// Which of the two of each node are ever filled.
    var filled = Column<Bool>()
    /// For each slice its head.
    var knownSlices = Column<Int32>()
    var knownBlocks = Column<KnownBlock>()
    /// For each node of each variant and state, its last place.
    var knownPlaces = Column<KnownPlace>()
    /// Lines at the first scale, which others may be like; for each node the last of them, each with the one before it.
    var originals = Column<Original>()
    var lastOriginals = Column<Int32>()
    /// Of the target at work.
    var scale = Scale.one

    package init() {}

    /// Replaces `bytes` with the record of a sheet. Throws where the sheet is larger than a record may be.
    package mutating func encode(_ sheet: LayoutSheet, into bytes: inout [UInt8]) throws(WireError) {
        try RecordLimits.check(sheet)
        removeAll()
        // Messages of a kind mostly share their skeleton, down to its memory.
        if shared.count == 0 || skeleton != sheet.skeleton {
            skeleton = sheet.skeleton
            shared.removeAll()
            shared.append(skeleton)
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
        places.removeAll()
        contents.removeAll()
        faces.removeAll()
        slots.removeAll()
        heads.removeAll()
        fills.removeAll()
        filled.removeAll()
        knownSlices.removeAll()
        knownBlocks.removeAll()
        knownPlaces.removeAll()
        originals.removeAll()
        lastOriginals.removeAll()
    }

    /// Sizes stand before tables, so that a cutter knows where each begins.
    private mutating func assemble(_ sheet: LayoutSheet) {
        record.append(RecordForm.version)
        record.number(shared.count)
        unsafe record.append(shared.elements)
        record.append(sheet.targets)
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
    /// A layout at one scale, replaced by numbers.
    struct Head {
        var scale: Int32
        var isMirrored: Bool
        /// From 1.
        var shape: Int32
        var fills: Int32
    }

    struct KnownBlock {
        var node: Int32 = -1
        var scale: Int32 = 0
        var width: Int32 = 0
        /// From 1.
        var content: Int32 = 0
        var widest: Int32 = 0
    }

    struct KnownPlace {
        var scale: Int32 = 0
        var number: Int32 = 0
        var numbers = PlaceNumbers()
    }

    struct Original {
        var content: Int32
        var lines: Range<Int32>
        var before: Int32
    }
}
