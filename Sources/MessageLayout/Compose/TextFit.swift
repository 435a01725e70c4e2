import Bytes
import Typography

/// A text broken into lines.
struct TextFit {
    /// The rooms in which it breaks so on screens of a kin.
    var rooms: ClosedRange<Int32>
    /// The most lines that it was broken for; 0 for any number.
    var mostLines: Int32
    /// In the buffer of lines.
    var firstLine: Int32
    var lineCount: Int32
    /// Whole device pixels of the widest and of the last line.
    var widest: Int32
    var last: Int32
    var isLastRightToLeft: Bool
    var isAnyRightToLeft: Bool
    /// Lines that are not there because there are too many.
    var wasCut: Bool
    /// The one before it of this part and kin.
    var before: Int32 = -1
    /// The place where it was written down last, and how wide it was there.
    var block: Int32 = -1
    var blockWidth: Int32 = 0

    /// Some lines, broken for one room.
    ///
    /// - Parameter isTight: whether a little less room, or more, could break it differently though all of it fits: a soft hyphen
    ///   that ends a paragraph is not shown, and yet a line is filled anew that has no room for it.
    init(
        _ lines: borrowing LineBuffer, _ range: Range<Int>, room: Int32, limit: Int32 = 0, wasCut: Bool = false,
        isTight: Bool = false
    ) {
        let extent = lines.extent(of: range)
        let widest = extent.widest.wholePixels
        let holds = !isTight && widest <= room
        let most = holds && !extent.isAnyWrapped && !wasCut ? Int32.max : room
        self.init(
            lines, range, rooms: (holds ? widest : room)...most, widest, isAnyRightToLeft: extent.isAnyRightToLeft)
        (mostLines, self.wasCut) = (limit, wasCut)
    }

    /// Lines that end where they do in some rooms.
    @inline(__always)
    init(
        _ lines: borrowing LineBuffer, _ range: Range<Int>, rooms: ClosedRange<Int32>, _ widest: Int32,
        isAnyRightToLeft: Bool
    ) {
        (self.rooms, self.widest, self.isAnyRightToLeft) = (rooms, widest, isAnyRightToLeft)
        (firstLine, lineCount) = (Int32(truncatingIfNeeded: range.lowerBound), Int32(truncatingIfNeeded: range.count))
        (mostLines, wasCut, last, isLastRightToLeft) = (0, false, 0, false)
        guard !range.isEmpty else { return }
        last = lines[range.upperBound - 1].width.wholePixels
        isLastRightToLeft = lines[range.upperBound - 1].traits.rawValue & LineTraits.rightToLeft.rawValue != 0
    }

    /// Whether these are the lines of the text in some room, on screens of its kin.
    @inline(__always)
    func serves(_ room: Int32, _ limit: Int32) -> Bool {
        rooms.lowerBound <= room && room <= rooms.upperBound
            && (limit == mostLines || !wasCut && (limit == 0 || lineCount <= limit))
    }
}

/// Where the lines of a plain text end, found for one room and true for many.
struct KnownBreaks {
    var breaks: PlainBreaks
    /// Its lines, at the scale at which they were found, and their units.
    var firstLine: Int32
    var firstUnits: Int32
    var lineCount: Int32
    /// The ones before them of this part.
    var before: Int32
}

/// Answers to all that screens ask of the lines of a text: as it was broken last, where it was.
struct BrokenText {
    var isKnown = LaneMask.none
    /// The rooms in which it breaks so.
    var least = Lanes()
    var most = Lanes()
    /// The most lines that it was broken for; 0 for any number.
    var limit = Lanes()
    /// Among the fits.
    var fit = Lanes(repeating: -1)
    var widest = Lanes()
    var last = Lanes()
    var lineCount = Lanes()
    var isOpen = LaneMask.none
    var wasCut = LaneMask.none
    /// Lines that it may have of those of the stack around it; 0 where it has its own limit, or none.
    var mostLines = Lanes()

    /// Lanes where more room could break it differently.
    var isWrapped: LaneMask { most .!= Int32.max }

    @inline(__always)
    func serves(_ room: Lanes, _ limit: Lanes) -> LaneMask {
        isKnown .& (least .<= room) .& (room .<= most) .& (self.limit .== limit)
    }

    @inline(__always)
    mutating func set(_ lane: Int, _ place: Int, _ own: TextFit, mayBeOpen: Bool, isMirrored: Bool) {
        fit.put(Int32(truncatingIfNeeded: place), in: lane)
        least.put(own.rooms.lowerBound, in: lane)
        most.put(own.rooms.upperBound, in: lane)
        widest.put(own.widest, in: lane)
        last.put(own.last, in: lane)
        lineCount.put(own.lineCount, in: lane)
        wasCut.put(own.wasCut, in: lane)
        // A last line that runs the other way leaves no room behind it, and a text without words has no line.
        isOpen.put(
            mayBeOpen && !own.wasCut && own.lineCount > 0 && own.isLastRightToLeft == isMirrored, in: lane)
    }
}

extension Int32 {
    /// The fewest whole device pixels that hold a length in 1/64. The line breaker grants a line 1/64 pixel more than its
    /// box has, and so does this: a line that fills its box must not make the message wider than its row.
    var wholePixels: Int32 { (self + 62) >> 6 }
}
