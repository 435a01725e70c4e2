package import Bytes
package import MessageLayout
import Rows

extension PixelRect: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integers(left, top, width, height)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            left: try reader.integer(), top: try reader.integer(), width: try reader.integer(),
            height: try reader.integer())
    }
}

/// The parts that a decoration has.
private struct DecorationParts: OptionSet {
    let rawValue: UInt8
    static let dateLine = DecorationParts(rawValue: 1)
    static let unreadLine = DecorationParts(rawValue: 2)
    static let avatar = DecorationParts(rawValue: 4)
    static let failedIcon = DecorationParts(rawValue: 8)
    static let selectionHandle = DecorationParts(rawValue: 16)
    static let tail = DecorationParts(rawValue: 32)
    static let all = DecorationParts(rawValue: 63)

    /// `contains` without the call into the implementation that all option sets share.
    func has(_ part: DecorationParts) -> Bool { rawValue & part.rawValue != 0 }
}

extension Decoration: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        var parts: DecorationParts = bubble.hasTail ? .tail : []
        if dateLine != nil { parts.insert(.dateLine) }
        if unreadLine != nil { parts.insert(.unreadLine) }
        if avatar != nil { parts.insert(.avatar) }
        if failedIcon != nil { parts.insert(.failedIcon) }
        if selectionHandle != nil { parts.insert(.selectionHandle) }
        let codes = [parts.rawValue, variant.rawValue, series.rawValue, bubble.smallCorners.rawValue]
        writer.integer(codes.reduce(0) { $0 << 8 | UInt32($1) })
        writer.integers(height, gapAbove, gapBelow, bubble.largeRadius)
        writer.integer(bubble.smallRadius)
        writer.value(content)
        if let dateLine {
            writer.value(dateLine.frame)
            writer.integer(dateLine.day.number)
        }
        for frame in [unreadLine, avatar, failedIcon, selectionHandle] {
            if let frame { writer.value(frame) }
        }
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        let parts = DecorationParts(rawValue: try reader.integer())
        guard parts.rawValue <= DecorationParts.all.rawValue else {
            throw .unknownCase(parts.rawValue, of: "decoration")
        }
        let (variant, series): (ContentVariant, SeriesPosition) =
            (try reader.choice(of: "variant"), try reader.choice(of: "series"))
        let corners = Corners(rawValue: try reader.integer())
        guard corners.rawValue <= Corners.all.rawValue else { throw .unknownCase(corners.rawValue, of: "corners") }
        let (height, gapAbove, gapBelow): (Int32, Int32, Int32) =
            (try reader.integer(), try reader.integer(), try reader.integer())
        let bubble = Bubble(
            largeRadius: try reader.integer(), smallRadius: try reader.integer(), smallCorners: corners,
            hasTail: parts.has(.tail))
        self.init(
            variant: variant, series: series, height: height, gapAbove: gapAbove, gapBelow: gapBelow,
            content: try reader.value(), bubble: bubble)
        if parts.has(.dateLine) {
            dateLine = DateLine(
                frame: try reader.value(), day: LocalDay(number: try reader.integer(in: Limits.days, of: "day")))
        }
        if parts.has(.unreadLine) { unreadLine = try reader.value() }
        if parts.has(.avatar) { avatar = try reader.value() }
        if parts.has(.failedIcon) { failedIcon = try reader.value() }
        if parts.has(.selectionHandle) { selectionHandle = try reader.value() }
    }
}
