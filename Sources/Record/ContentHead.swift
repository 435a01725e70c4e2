import Bytes

/// The first number of a content, in a record and in a row: a kind in the low bits; above them a count, or the number
/// of the content that it is like.
struct ContentHead {
    let rawValue: UInt32
    private static let bars: UInt32 = 1
    private static let rightToLeft: UInt32 = 2
    private static let unusual: UInt32 = 4
    private static let like: UInt32 = 8
    private static let countShift: UInt32 = 4
    /// The most lines of a content that is like another: it has a bit for each.
    static let mostAlike = 32

    /// The head of a content of bars.
    static func bars(_ count: Int) -> ContentHead { ContentHead(rawValue: UInt32(count) << countShift | bars) }

    static func lines(_ count: Int32, _ unusual: RecordForm.Lines, isRightToLeft: Bool) -> ContentHead {
        ContentHead(
            rawValue: UInt32(bitPattern: count) << countShift | (isRightToLeft ? rightToLeft : 0)
                | (unusual.rawValue == 0 ? 0 : Self.unusual))
    }

    @inline(__always)
    var isBars: Bool { rawValue & Self.bars != 0 }

    @inline(__always)
    var isLike: Bool { rawValue & Self.like != 0 }

    @inline(__always)
    var isRightToLeft: Bool { rawValue & Self.rightToLeft != 0 }

    /// Whether the unusual properties of its lines are told in front of them.
    @inline(__always)
    var isUnusual: Bool { rawValue & Self.unusual != 0 }

    /// Whether it has lines with nothing unusual, which others may be like.
    var isPlain: Bool { rawValue & (Self.bars | Self.like | Self.unusual) == 0 }

    /// The number of its bars or lines, or of the content that it is like.
    @inline(__always)
    var count: Int32 { Int32(bitPattern: rawValue >> Self.countShift) }
}

extension NumberReader {
    @inline(__always)
    mutating func contentHead() -> ContentHead { ContentHead(rawValue: number()) }

    /// Reads the unusual properties of lines, behind their face.
    @inline(__always)
    mutating func unusual(of head: ContentHead) -> RecordForm.Lines {
        guard head.isUnusual else { return [] }
        return RecordForm.Lines(rawValue: UInt32(number(upTo: Int(RecordForm.Lines.all.rawValue), of: "lines")))
    }
}
