import Bytes
import MessageLayout
import Typography

/// The face of the lines of a block: size in 1/64, pitch, and ascent, in device pixels or in points. In points the
/// ascent is in 1/64, too.
struct Face: Equatable {
    var size: Int32
    var pitch: Int32
    var ascent: Int32
    var isPoints: Bool

    /// The face in device pixels.
    @inline(__always)
    func pixels(at scale: Scale) -> Face {
        guard isPoints else { return self }
        let thousandths = Int64(scale.thousandths)
        return Face(
            size: Int32(truncatingIfNeeded: Int64(size) * thousandths / 1000),
            pitch: RecordForm.pixels(UInt32(bitPattern: pitch), scale),
            ascent: Int32(truncatingIfNeeded: (Int64(ascent) * thousandths + 32_000) / 64_000), isPoints: false)
    }
}

/// The faces of a record, first those of its stem. A face that is told in points serves all scales: its size and its
/// ascent are the least that make the device pixels of every block that has it.
struct FaceTable: ~Copyable {
    private var known = Buffer<Known>()
    /// The number of each face among those that are told so far; -1 before that.
    private var numbers = Buffer<Int32>()
    private var toldCount: Int32 = 0
    /// One more than the highest number that was used so far.
    private var next: Int32 = 0
    private var stem = -1
    private var stemCount = 0
    /// Bounds that were asked for, whatever the message.
    private var asked = Buffer<Asked>()

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct Asked {
        var face = Face(size: 0, pitch: 0, ascent: 0, isPoints: false)
        var scale: Int32 = -1
        var bounds = Known()

        /// The number of places, a power of two.
        static let places = 64
    }

    init() { asked.refill(Asked(), count: Asked.places) }

    /// Bounds of the values that a face may be told with.
    struct Known {
        var size: ClosedRange<Int64>
        var ascent: ClosedRange<Int64>
        var pitch: Int32
        var isPoints: Bool

        fileprivate init() { (size, ascent, pitch, isPoints) = (0...0, 0...0, 0, false) }

        /// The bounds of a face as it is told.
        fileprivate init(_ face: Face) {
            (size, ascent) = (Int64(face.size)...Int64(face.size), Int64(face.ascent)...Int64(face.ascent))
            (pitch, isPoints) = (face.pitch, face.isPoints)
        }

        /// The bounds in points, if whole points tell the pitch; otherwise the face as it is.
        init(_ block: LayoutSheet.Block, at scale: Scale) {
            let thousandths = Int64(scale.thousandths)
            let (own, above) = (Int64(block.fontSize), Int64(block.ascent))
            if thousandths > 0, own >= 0, above >= 0, let points = RecordForm.points(block.pitch, scale) {
                let smallest = (own * 1000 + thousandths - 1) / thousandths
                size = smallest...max(smallest, ((own + 1) * 1000 - 1) / thousandths)
                let least = max(0, (above * 64_000 - 32_000 + thousandths - 1) / thousandths)
                ascent = least...max(least, ((above + 1) * 64_000 - 32_001) / thousandths)
                pitch = Int32(truncatingIfNeeded: points)
                isPoints = size.upperBound <= 1 << 28 && ascent.upperBound <= 1 << 28
                if isPoints && face.pixels(at: scale) == Face(block) { return }
            }
            (size, ascent, pitch, isPoints) = (own...own, above...above, block.pitch, false)
        }

        var face: Face {
            var face = Face(
                size: Int32(truncatingIfNeeded: size.lowerBound), pitch: pitch, ascent: 0, isPoints: isPoints)
            let usual = min(max(Int64(face.usualAscent), ascent.lowerBound), ascent.upperBound)
            face.ascent = Int32(truncatingIfNeeded: usual)
            return face
        }

        /// Takes in another face, if one serves both.
        mutating func takes(_ other: Known) -> Bool {
            guard pitch == other.pitch, isPoints == other.isPoints, size.overlaps(other.size),
                ascent.overlaps(other.ascent)
            else { return false }
            (size, ascent) = (size.clamped(to: other.size), ascent.clamped(to: other.ascent))
            return true
        }
    }

    /// Turns to another message.
    mutating func begin(stem: Int) {
        next = 0
        if stem != self.stem {
            known.removeAll()
            numbers.removeAll()
            self.stem = stem
            if stem > 0 { for face in Stem.all[stem - 1].faces { known.append(Known(face)) } }
            stemCount = known.count
            for number in 0..<stemCount { numbers.append(Int32(truncatingIfNeeded: number)) }
        }
        known.shrink(to: stemCount)
        numbers.shrink(to: stemCount)
        toldCount = Int32(truncatingIfNeeded: stemCount)
    }

    /// The bounds of a block's face: mostly they were found for another block.
    private mutating func bounds(_ block: LayoutSheet.Block, _ scale: Scale) -> Known {
        let hash = block.fontSize &+ 7 &* block.pitch &+ 13 &* block.ascent &+ scale.thousandths &>> 3
        let place = Int(truncatingIfNeeded: hash &+ hash &>> 6) & (Asked.places &- 1)
        if asked[place].scale != scale.thousandths || asked[place].face != Face(block) {
            asked[place] = Asked(face: Face(block), scale: scale.thousandths, bounds: Known(block, at: scale))
        }
        return asked[place].bounds
    }

    /// Returns the place of a block's face, which is added if it is new.
    mutating func place(of block: LayoutSheet.Block, at scale: Scale) -> Int32 {
        let own = bounds(block, scale)
        for i in 0..<known.count where known[i].takes(own) { return Int32(truncatingIfNeeded: i) }
        known.append(own)
        numbers.append(-1)
        return Int32(truncatingIfNeeded: known.count &- 1)
    }

    /// Whether a face serves a block at a scale, too. If so, its bounds are narrowed to both.
    mutating func serves(_ place: Int32, _ block: LayoutSheet.Block, at scale: Scale) -> Bool {
        let own = bounds(block, scale)
        return known[Int(place)].takes(own)
    }

    /// Writes the number of a face, and the face itself if it is told for the first time; returns the number.
    mutating func write(_ place: Int32, expected: Int32, to bits: inout GolombSink) -> Int32 {
        let place = Int(place)
        let isNew = numbers[place] < 0
        if isNew {
            numbers[place] = toldCount
            toldCount &+= 1
        }
        let own = numbers[place]
        bits.flag(own == expected)
        if own == expected { return own }
        bits.signed(next &- own, 0)
        if isNew { bits.append(known[place].face) }
        next = max(next, own &+ 1)
        return own
    }
}

extension Face {
    fileprivate init(_ block: LayoutSheet.Block) {
        self.init(size: block.fontSize, pitch: block.pitch, ascent: block.ascent, isPoints: false)
    }

    /// The usual ascent: mostly it is a little more than the size.
    fileprivate var usualAscent: Int32 {
        let own = isPoints ? size : size >> 6
        return own &+ own >> 4
    }
}

// Pitch and ascent are told from the size.
extension GolombSink {
    fileprivate mutating func append(_ face: Face) {
        let isWhole = face.size & 63 == 0
        flag(face.isPoints)
        flag(isWhole)
        number(isWhole ? face.size >> 6 : face.size, isWhole ? 3 : 8)
        signed(face.pitch &- face.size >> 6, 3)
        flag(face.ascent == face.usualAscent)
        if face.ascent != face.usualAscent { signed(face.ascent &- face.usualAscent, 5) }
    }
}

extension GolombReader {
    @inline(__always)
    mutating func face() -> Face {
        var face = Face(size: 0, pitch: 0, ascent: 0, isPoints: flag())
        face.size = flag() ? length(3) << 6 : length(8)
        face.pitch = face.size >> 6 &+ signed(3)
        face.ascent = face.usualAscent
        if !flag() { face.ascent &+= signed(5) }
        return face
    }
}
