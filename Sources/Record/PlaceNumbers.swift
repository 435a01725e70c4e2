import MessageLayout
import Typography

/// What a record tells of a node's place, in device pixels: two numbers an axis, told from the edges of its parent that it
/// is pinned to.
///
/// A bubble that hugs its text is of another size at each width, and yet everything in it keeps its distances: so told, one
/// place serves all widths. Arithmetic wraps, so any frame comes back (`PinnedFrame`).
struct PlaceNumbers {
    /// Offsets across and down, then lengths, or distances of the end where both ends are pinned.
    private var told: SIMD4<Int32>
    /// Radius, fill and parts.
    private var rest: SIMD4<Int32>

    /// Which edges a node is pinned to, as they are asked for.
    struct Sides {
        /// All bits of what is told from the end: offsets where it alone is pinned, the others where both are.
        fileprivate let ends: SIMD4<Int32>

        init(_ pins: Pins) {
            let (across, down) = (pins.rawValue & 3, pins.rawValue >> 2 & 3)
            ends = SIMD4(across == 2 ? -1 : 0, down == 2 ? -1 : 0, across == 3 ? -1 : 0, down == 3 ? -1 : 0)
        }

        /// What is told of each axis second is a distance, not a length.
        fileprivate var isStretched: (across: Bool, down: Bool) { (ends[2] != 0, ends[3] != 0) }
    }

    @inline(__always)
    init(_ placement: LayoutSheet.Placement, in outer: PixelRect, _ sides: Sides, isMirrored: Bool) {
        let (left, top) = (placement.frame.left &- outer.left, placement.frame.top &- outer.top)
        let (width, height) = (placement.frame.width, placement.frame.height)
        let (right, bottom) = (outer.width &- width &- left, outer.height &- height &- top)
        let (start, end) = isMirrored ? (right, left) : (left, right)
        let fromStart = SIMD4(start, top, width, height)
        told = fromStart ^ (fromStart ^ SIMD4(end, bottom, end, bottom)) & sides.ends
        var bits = RecordForm.Place.isPresent.rawValue
        if placement.radius != 0 { bits |= RecordForm.Place.radius.rawValue }
        if placement.fill.width | placement.fill.height != 0 { bits |= RecordForm.Place.fill.rawValue }
        if placement.bars.lowerBound < placement.bars.upperBound { bits |= RecordForm.Place.bars.rawValue }
        // Rarely so; but then distances take a bit for the sign.
        let distances = told & (SIMD4(-1, -1, 0, 0) | sides.ends)
        if (distances[0] | distances[1] | distances[2] | distances[3]) < 0 { bits |= RecordForm.Place.signed.rawValue }
        rest = SIMD4(placement.radius, placement.fill.width, placement.fill.height, Int32(truncatingIfNeeded: bits))
    }

    /// Leaves out what is as its lines are.
    @inline(__always)
    mutating func hug(_ width: Int32, _ height: Int32, _ sides: Sides) {
        rest[3] |= Int32(truncatingIfNeeded: RecordForm.Place.lines.rawValue)
        if told[2] == width && sides.ends[2] == 0 {
            rest[3] |= Int32(truncatingIfNeeded: RecordForm.Place.hugging.rawValue)
            told[2] = 0
        }
        if told[3] == height && sides.ends[3] == 0 {
            rest[3] |= Int32(truncatingIfNeeded: RecordForm.Place.stacked.rawValue)
            told[3] = 0
        }
    }

    @inline(__always)
    func isEqual(_ other: PlaceNumbers) -> Bool {
        let difference = unsafe unsafeBitCast((told ^ other.told) | (rest ^ other.rest), to: SIMD2<UInt64>.self)
        return difference[0] | difference[1] == 0
    }

    private var parts: RecordForm.Place {
        get { RecordForm.Place(rawValue: UInt32(bitPattern: rest[3])) }
        set { rest[3] = Int32(bitPattern: newValue.rawValue) }
    }

    /// Writes them in points if whole ones tell all of them.
    func append(to chunks: inout ChunkTable, at scale: Scale, _ sides: Sides) -> Int32 {
        var own = self
        if parts.has(.signed) || !own.turnToPoints(at: scale) { own = self }
        let isSigned = parts.has(.signed)
        chunks.number(own.parts.rawValue)
        chunks.append(
            own.told[0], parts.has(.hugging) ? nil : own.told[2], isSigned: isSigned,
            isStretched: sides.isStretched.across)
        chunks.append(
            own.told[1], parts.has(.stacked) ? nil : own.told[3], isSigned: isSigned,
            isStretched: sides.isStretched.down)
        if parts.has(.radius) { chunks.number(own.rest[0]) }
        if parts.has(.fill) {
            chunks.number(own.rest[1])
            chunks.number(own.rest[2])
        }
        return chunks.close()
    }

    /// Halfway, and false, where something is no whole points. What is not told is zero.
    private mutating func turnToPoints(at scale: Scale) -> Bool {
        parts = RecordForm.Place(rawValue: parts.rawValue | RecordForm.Place.points.rawValue)
        for i in 0..<4 where told[i] != 0 {
            guard let points = RecordForm.points(told[i], scale) else { return false }
            told[i] = Int32(bitPattern: points)
        }
        for i in 0..<3 where rest[i] != 0 {
            guard let points = RecordForm.points(rest[i], scale) else { return false }
            rest[i] = Int32(bitPattern: points)
        }
        return true
    }
}

extension ChunkTable {
    @inline(__always)
    fileprivate mutating func append(_ offset: Int32, _ second: Int32?, isSigned: Bool, isStretched: Bool) {
        if isSigned { signed(offset) } else { number(offset) }
        guard let second else { return }
        if isSigned && isStretched { signed(second) } else { number(second) }
    }
}
