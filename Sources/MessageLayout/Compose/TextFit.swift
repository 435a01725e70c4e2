import Bytes
import Typography

/// A text broken into lines.
struct TextFit {
    /// The rooms in which it breaks so on screens of a kin.
    var rooms: ClosedRange<Int32>
    /// The most lines that it was broken for; 0 for any number.
    var mostLines: Int32
    /// Its first line in the buffer of lines; their widths are different if they were found at another scale.
    var firstLine: Int32
    var lineCount: Int32
    /// The known breaks that its lines are from (-1 for none), and the factor that turns their units into pixels.
    private(set) var breaks: Int32 = -1
    private(set) var factor = Factor.none
    /// Whole device pixels of the widest and of the last line.
    var widest: Int32
    var last: Int32
    var isFirstRightToLeft: Bool
    var isLastRightToLeft: Bool
    var isAnyRightToLeft: Bool
    /// Whether lines are missing because there are too many.
    var wasCut: Bool
    /// Whether a word does not fit on a line. Known breaks have no such word.
    var isTorn = false
    /// The fit before it of this part and kin, among those without known breaks; -1 for none.
    var before: Int32 = -1
    /// The block that it was written as last, and how wide it was there.
    var block: Int32 = -1
    var blockWidth: Int32 = 0

    /// Some lines, broken for one room.
    ///
    /// - Parameter isTight: whether a little less room, or more, could break it differently though all of it fits: a
    ///   soft hyphen at the end of a paragraph is not shown, and yet a line that has no room for it is filled anew.
    init(
        _ lines: borrowing LineBuffer, _ range: Range<Int>, room: Int32, limit: Int32 = 0, wasCut: Bool = false,
        isTight: Bool = false
    ) {
        let extent = lines.extent(of: range)
        (widest, isAnyRightToLeft, isTorn) = (extent.widest.wholePixels, extent.isAnyRightToLeft, extent.isAnyTorn)
        let holds = !isTight && widest <= room
        let most = holds && !extent.isAnyWrapped && !wasCut ? Int32.max : room
        rooms = (holds ? widest : room)...most
        (firstLine, lineCount) = (Int32(truncatingIfNeeded: range.lowerBound), Int32(truncatingIfNeeded: range.count))
        (mostLines, self.wasCut, last, isFirstRightToLeft, isLastRightToLeft) = (limit, wasCut, 0, false, false)
        guard !range.isEmpty else { return }
        isFirstRightToLeft = lines[range.lowerBound].traits.isRightToLeft
        last = lines[range.upperBound - 1].width.wholePixels
        isLastRightToLeft = lines[range.upperBound - 1].traits.isRightToLeft
    }

    /// Lines of a plain text, for all rooms in which they end at the same places.
    @inline(__always)
    init(_ known: KnownBreaks, _ number: Int32, _ factor: Factor) {
        rooms = known.breaks.boxes(factor).wholePixels
        widest = rooms.lowerBound
        (firstLine, lineCount, breaks, self.factor) = (known.firstLine, known.lineCount, number, factor)
        (mostLines, wasCut, isAnyRightToLeft) = (0, false, known.breaks.isAnyRightToLeft)
        last = known.lineCount == 0 ? 0 : factor.pixels(known.lastUnits).wholePixels
        (isFirstRightToLeft, isLastRightToLeft) = (known.isFirstRightToLeft, known.isLastRightToLeft)
    }

    /// Whether these are the lines of the text in some room, on screens of its kin.
    @inline(__always)
    func serves(_ room: Int32, _ limit: Int32) -> Bool {
        rooms.lowerBound <= room && room <= rooms.upperBound
            && (limit == mostLines || !wasCut && (limit == 0 || lineCount <= limit))
    }
}

/// The ends of the lines of a plain text, found for one room and true for many.
struct KnownBreaks {
    let breaks: PlainBreaks
    /// Its lines, at the scale at which they were found, and their units.
    let firstLine: Int32
    let firstUnits: Int32
    let lineCount: Int32
    /// Units of the last of them.
    let lastUnits: Int32
    let isFirstRightToLeft: Bool
    let isLastRightToLeft: Bool
    /// The breaks before them of this part; -1 for none.
    let before: Int32
}

/// The breaking of a part's text on screens of a kin.
struct FitChain {
    /// The factor that turns its units into pixels, once breaks of it are known.
    var factor = Factor.none
    /// The last fit without known breaks; -1 for none.
    var last: Int32 = -1
}

/// A text as it was broken last, on each screen: answers to all questions about its lines.
struct BrokenText {
    var isKnown = LaneMask.none
    /// The rooms in which it breaks so.
    var least = Lanes()
    var most = Lanes()
    /// The most lines that it was broken for; 0 for any number.
    var limit = Lanes()
    /// The place among the fits.
    var fit = Lanes(repeating: -1)
    var widest = Lanes()
    var last = Lanes()
    var lineCount = Lanes()
    var isOpen = LaneMask.none
    var isTurned = LaneMask.none
    var wasCut = LaneMask.none
    /// Lines that the stack around leaves for it; 0 where it has its own limit, or none.
    var mostLines = Lanes()
    /// True where some line of this text runs from right to left, on any screen.
    var isAnyRightToLeft = false

    /// It is inlined: a call would be given a copy of all that is here.
    /// - Parameter below: how far a line of it goes below its baseline.
    @inline(__always)
    func tail(below: Lanes) -> TextEnd {
        TextEnd(end: last, isOpen: isOpen, isTurned: isTurned, below: below)
    }

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
        if own.isAnyRightToLeft { isAnyRightToLeft = true }
        // A last line that runs the other way leaves no room behind it, and a text without words has no line.
        let (mayBeOpen, runsWithRow) = (mayBeOpen && !own.wasCut, own.isLastRightToLeft == isMirrored)
        isOpen.put(mayBeOpen && own.lineCount > 0 && runsWithRow, in: lane)
        isTurned.put(mayBeOpen && own.lineCount == 1 && !runsWithRow, in: lane)
    }
}

extension ClosedRange<Int32> {
    /// The rooms whose boxes are among these, in 1/64 device pixel.
    @inline(__always)
    fileprivate var wholePixels: ClosedRange<Int32> {
        let least = (lowerBound &+ 63) >> 6
        return least...Swift.max(least, upperBound == .max ? .max : upperBound >> 6)
    }
}

extension LineTraits {
    @inline(__always)
    fileprivate var isRightToLeft: Bool { rawValue & LineTraits.rightToLeft.rawValue != 0 }
}

extension Int32 {
    /// The fewest whole device pixels that hold a length in 1/64. The line breaker grants a line 1/64 pixel more than
    /// its box has, and so does this: a line that fills its box must not make the message wider than its row.
    var wholePixels: Int32 { (self + 62) >> 6 }
}
