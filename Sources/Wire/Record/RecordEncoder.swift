package import MessageLayout

/// Writes layout sheets as layout records. It keeps its memory from one message to the next, so a warm one allocates
/// nothing: give each lane its own.
///
///     var encoder = RecordEncoder()
///     try encoder.encode(sheet, into: &bytes)
///
/// Frames, lines and whole geometries go to tables that hold each once; a layout is then a handful of numbers, told as a
/// change from a layout like it.
package struct RecordEncoder: ~Copyable {
    var record = Column<UInt8>(capacity: 1024)
    var shared = Column<UInt8>(capacity: 512)
    /// Places of nodes, lists of them, lines and bars, changes.
    var places = ChunkTable()
    var geometries = ChunkTable()
    var contents = ChunkTable()
    var changes = ChunkTable()
    /// For each target, variant and state the number of its change, 0 for none.
    var slots = Column<Int32>()
    /// The same as bytes, variant by variant.
    var columns = Column<UInt8>()

    /// For each slice of the sheet two: as it is, and mirrored.
    var heads = Column<Head>()
    /// Lists of numbers of contents, to which heads refer.
    var contentNumbers = Column<Int32>()
    /// For each variant and state, the last change asked for.
    var lastChanges = Column<LastChange>()

    package init() {}

    /// Replaces `bytes` with the record of a sheet. Throws where the sheet is larger than a record may be.
    package mutating func encode(_ sheet: LayoutSheet, into bytes: inout [UInt8]) throws(WireError) {
        try RecordLimits.check(sheet)
        removeAll()
        shared.append(sheet.skeleton)
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
        shared.removeAll()
        places.removeAll()
        geometries.removeAll()
        contents.removeAll()
        changes.removeAll()
        slots.removeAll()
        columns.removeAll()
        heads.removeAll()
        contentNumbers.removeAll()
        lastChanges.removeAll()
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
        record.number(geometries.count)
        record.number(changes.count)
        record.number(changes.bytes.count)
        record.number(places.count)
        record.number(places.bytes.count)
        record.number(contents.count)
        record.number(contents.bytes.count)
        unsafe record.append(columns.elements)
        if places.count > 255 {
            unsafe record.append(geometries.bytes.elements)
        } else {
            for i in stride(from: 0, to: geometries.bytes.count, by: 2) { record.append(geometries.bytes[i]) }
        }
        unsafe record.append(changes.bytes.elements)
        unsafe record.append(places.bytes.elements)
        unsafe record.append(contents.bytes.elements)
    }
}

extension RecordEncoder {
    /// A layout, with its parts replaced by their numbers.
    struct Head {
        var isKnown = false
        var size = PixelSize.zero
        var stamp = StampMode.none
        var geometry: Int32 = -1
        /// In `contentNumbers`.
        var contents: Range<Int32> = 0..<0
    }

    struct LastChange {
        var base = -1
        var head = -1
        var number: Int32 = 0
    }
}

extension Column where Element == UInt8 {
    /// One byte, or two with the lower first.
    @inline(__always)
    mutating func reference(_ number: Int32, isWide: Bool) {
        append(UInt8(truncatingIfNeeded: number))
        if isWide { append(UInt8(truncatingIfNeeded: number >> 8)) }
    }
}
