import Bytes
import MessageLayout
import Typography

/// What the lines of a block are set in: size in 1/64, pitch, and ascent, in device pixels or in points. In points the
/// ascent is in 1/64, too.
struct Face {
    var size: Int32
    var pitch: UInt32
    var ascent: UInt32
    var isPoints: Bool

    /// In device pixels.
    init(_ block: LayoutSheet.Block) {
        (size, isPoints) = (block.fontSize, false)
        (pitch, ascent) = (UInt32(bitPattern: block.pitch), UInt32(bitPattern: block.ascent))
    }

    /// In points, if whole ones tell it.
    init?(_ block: LayoutSheet.Block, at scale: Scale) {
        let thousandths = Int64(scale.thousandths)
        guard thousandths > 0, block.fontSize >= 0, block.ascent >= 0,
            let pitch = RecordForm.points(block.pitch, scale)
        else { return nil }
        isPoints = true
        self.pitch = pitch
        size = Int32(truncatingIfNeeded: (Int64(block.fontSize) * 1000 + thousandths - 1) / thousandths)
        ascent = UInt32(truncatingIfNeeded: (Int64(block.ascent) * 64_000 + thousandths / 2) / thousandths)
        let pixels = pixels(at: scale)
        guard 0..<1 << 29 ~= size, pixels.size == block.fontSize, pixels.ascent == block.ascent else { return nil }
    }

    init(_ reader: inout NumberReader) {
        let head = reader.number()
        isPoints = head & RecordForm.pointsFace != 0
        let own = head >> RecordForm.sizeShift
        size = Int32(bitPattern: head & RecordForm.wholeSize == 0 ? own : own << 6)
        pitch = reader.number()
        ascent = reader.number()
    }

    @inline(__always)
    func pixels(at scale: Scale) -> (size: Int32, pitch: Int32, ascent: Int32) {
        guard isPoints else { return (size, Int32(bitPattern: pitch), Int32(bitPattern: ascent)) }
        let thousandths = Int64(scale.thousandths)
        return (
            Int32(truncatingIfNeeded: Int64(size) * thousandths / 1000), RecordForm.pixels(pitch, scale),
            Int32(truncatingIfNeeded: (Int64(ascent) * thousandths + 32_000) / 64_000)
        )
    }

    fileprivate func append(to chunks: inout ChunkTable) -> Int32 {
        let isWhole = size & 63 == 0
        chunks.number(
            UInt32(bitPattern: isWhole ? size >> 6 : size) << RecordForm.sizeShift
                | (isWhole ? RecordForm.wholeSize : 0) | (isPoints ? RecordForm.pointsFace : 0))
        chunks.number(pitch)
        chunks.number(ascent)
        return chunks.close()
    }
}

/// The faces of a record. Told in points, a face serves all scales; where that makes an ascent of a pixel more or less,
/// whoever refers to it says so.
struct FaceTable: ~Copyable {
    var chunks = ChunkTable()
    private var inPoints = Buffer<(face: Face, number: Int32)>()
    private var known = Buffer<Known>()

    struct Known {
        var scale: Int32
        var size: Int32
        var pitch: Int32
        var ascent: Int32
        var reference: Int32
    }

    mutating func removeAll() {
        chunks.removeAll()
        inPoints.removeAll()
        known.removeAll()
    }

    /// Three times the number of a face, and which of `RecordForm.ascents` is its ascent's.
    mutating func reference(to block: LayoutSheet.Block, at scale: Scale) -> Int32 {
        for i in 0..<known.count {
            let own = known[i]
            if own.size == block.fontSize && own.scale == scale.thousandths && own.pitch == block.pitch
                && own.ascent == block.ascent
            {
                return own.reference
            }
        }
        let reference = add(block, at: scale)
        known.append(
            Known(
                scale: scale.thousandths, size: block.fontSize, pitch: block.pitch, ascent: block.ascent,
                reference: reference))
        return reference
    }

    private mutating func add(_ block: LayoutSheet.Block, at scale: Scale) -> Int32 {
        guard let face = Face(block, at: scale) else { return 3 * Face(block).append(to: &chunks) }
        for i in 0..<inPoints.count where inPoints[i].face.size == face.size && inPoints[i].face.pitch == face.pitch {
            let off = block.ascent &- inPoints[i].face.pixels(at: scale).ascent
            if let place = RecordForm.ascents.firstIndex(of: off) { return 3 * inPoints[i].number + Int32(place) }
        }
        let number = face.append(to: &chunks)
        inPoints.append((face, number))
        return 3 * number
    }
}
