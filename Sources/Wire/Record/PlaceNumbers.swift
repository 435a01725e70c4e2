import MessageLayout
import Typography

/// What a record tells of a node's place, in device pixels.
struct PlaceNumbers: Equatable {
    var parts: RecordForm.Place = []
    var across = PinnedFrame.Axis(offset: 0, second: 0, isStretched: false)
    var down = PinnedFrame.Axis(offset: 0, second: 0, isStretched: false)
    var radius: Int32 = 0
    var fill = PixelSize.zero

    @inline(__always)
    init() {}

    @inline(__always)
    static func == (one: PlaceNumbers, other: PlaceNumbers) -> Bool {
        one.parts.rawValue == other.parts.rawValue && one.across.isEqual(other.across) && one.down.isEqual(other.down)
            && one.radius == other.radius && one.fill.width == other.fill.width && one.fill.height == other.fill.height
    }

    /// Writes them in points if whole ones tell all of them.
    func append(to chunks: inout ChunkTable, at scale: Scale) -> Int32 {
        let isPoints = !parts.has(.signed) && arePoints(at: scale)
        chunks.number(parts.rawValue | (isPoints ? RecordForm.Place.points.rawValue : 0))
        let scale = isPoints ? scale : nil
        append(across, isToldAlone: parts.has(.hugging), to: &chunks, scale)
        append(down, isToldAlone: parts.has(.stacked), to: &chunks, scale)
        if parts.has(.radius) { append(radius, to: &chunks, scale) }
        if parts.has(.fill) {
            append(fill.width, to: &chunks, scale)
            append(fill.height, to: &chunks, scale)
        }
        return chunks.close()
    }

    private func arePoints(at scale: Scale) -> Bool {
        // Only what is told counts; the rest is zero.
        RecordForm.points(across.offset, scale) != nil && RecordForm.points(across.second, scale) != nil
            && RecordForm.points(down.offset, scale) != nil && RecordForm.points(down.second, scale) != nil
            && RecordForm.points(radius, scale) != nil && RecordForm.points(fill.width, scale) != nil
            && RecordForm.points(fill.height, scale) != nil
    }

    private func append(
        _ axis: PinnedFrame.Axis, isToldAlone: Bool, to chunks: inout ChunkTable, _ scale: Scale?
    ) {
        let isSigned = parts.has(.signed)
        if isSigned { chunks.signed(axis.offset) } else { append(axis.offset, to: &chunks, scale) }
        if isToldAlone { return }
        if isSigned && axis.isStretched {
            chunks.signed(axis.second)
        } else {
            append(axis.second, to: &chunks, isSigned ? nil : scale)
        }
    }

    private func append(_ pixels: Int32, to chunks: inout ChunkTable, _ scale: Scale?) {
        chunks.number(scale.flatMap { RecordForm.points(pixels, $0) } ?? UInt32(bitPattern: pixels))
    }
}

extension PinnedFrame.Axis {
    @inline(__always)
    fileprivate func isEqual(_ other: PinnedFrame.Axis) -> Bool {
        offset == other.offset && second == other.second && isStretched == other.isStretched
    }
}
