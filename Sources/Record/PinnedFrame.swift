import MessageLayout

/// A frame as two numbers an axis, told from the edges of its parent that it is pinned to.
///
/// A bubble that hugs its text is of another size at each width, and yet everything in it keeps its distances: so
/// told, one frame serves all widths. In a mirrored layout the start is on the right. Arithmetic wraps, so any frame
/// comes back.
struct PinnedFrame {
    var across: Axis
    var down: Axis

    struct Axis {
        /// Distance of the start, or of the end where that alone is pinned.
        var offset: Int32
        /// Distance of the end where both are pinned, and length otherwise.
        var second: Int32
        var isStretched: Bool
    }

    @inline(__always)
    init(across: Axis, down: Axis) { (self.across, self.down) = (across, down) }

    @inline(__always)
    func frame(in parent: PixelRect, pins: Pins, isMirrored: Bool) -> PixelRect {
        let (x, width) = across.place(in: parent.width, pins: pins.rawValue & 3)
        let (y, height) = down.place(in: parent.height, pins: pins.rawValue >> 2 & 3)
        return PixelRect(
            left: isMirrored ? parent.right &- x &- width : parent.left &+ x, top: parent.top &+ y, width: width,
            height: height)
    }
}

extension PinnedFrame.Axis {
    /// Returns start and length, from the start of the parent. `pins` are two bits of `Pins`: 1 for the start, 2 for
    /// the end.
    @inline(__always)
    fileprivate func place(in parent: Int32, pins: UInt8) -> (Int32, Int32) {
        if pins == 3 { return (offset, parent &- offset &- second) }
        return (pins == 2 ? parent &- offset &- second : offset, second)
    }
}
