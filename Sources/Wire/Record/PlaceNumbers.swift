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
        var told = self
        if parts.has(.signed) || !told.turnToPoints(at: scale) { told = self }
        let isSigned = parts.has(.signed)
        chunks.number(told.parts.rawValue)
        chunks.append(told.across, isSigned: isSigned, isAlone: parts.has(.hugging))
        chunks.append(told.down, isSigned: isSigned, isAlone: parts.has(.stacked))
        if parts.has(.radius) { chunks.number(told.radius) }
        if parts.has(.fill) {
            chunks.number(told.fill.width)
            chunks.number(told.fill.height)
        }
        return chunks.close()
    }

    /// Halfway, and false, where something is no whole points. What is not told is zero.
    private mutating func turnToPoints(at scale: Scale) -> Bool {
        parts = RecordForm.Place(rawValue: parts.rawValue | RecordForm.Place.points.rawValue)
        return across.offset.turnToPoints(at: scale) && across.second.turnToPoints(at: scale)
            && down.offset.turnToPoints(at: scale) && down.second.turnToPoints(at: scale)
            && radius.turnToPoints(at: scale) && fill.width.turnToPoints(at: scale)
            && fill.height.turnToPoints(at: scale)
    }
}

extension Int32 {
    @inline(__always)
    fileprivate mutating func turnToPoints(at scale: Scale) -> Bool {
        if self == 0 { return true }
        guard let points = RecordForm.points(self, scale) else { return false }
        self = Int32(bitPattern: points)
        return true
    }
}

extension ChunkTable {
    @inline(__always)
    fileprivate mutating func append(_ axis: PinnedFrame.Axis, isSigned: Bool, isAlone: Bool) {
        if isSigned { signed(axis.offset) } else { number(axis.offset) }
        if isAlone { return }
        if isSigned && axis.isStretched { signed(axis.second) } else { number(axis.second) }
    }
}

extension PinnedFrame.Axis {
    @inline(__always)
    fileprivate func isEqual(_ other: PinnedFrame.Axis) -> Bool {
        offset == other.offset && second == other.second && isStretched == other.isStretched
    }
}
