package import Typography

/// Decides how large a picture is shown: whole and in its ratio where it can be, cut where it would become a sliver.
///
///     let clamp = MediaClamp(largest: PixelSize(width: 280, height: 360), smallest: PixelSize(width: 120, height: 80))
///     clamp.slot(for: PixelSize(width: 560, height: 280))  // 280 × 140
package struct MediaClamp: Hashable, Sendable {
    /// The largest slot, in device pixels, like all answers.
    package let largest: PixelSize
    /// The smallest slot; it is never larger than the largest.
    package let smallest: PixelSize
    /// Device pixels to a pixel of the picture, which counts as a point: no picture is blown up beyond that.
    package let scale: Scale

    package init(largest: PixelSize, smallest: PixelSize, scale: Scale = .one) {
        self.largest = PixelSize(width: max(largest.width, 0), height: max(largest.height, 0))
        self.smallest = PixelSize(
            width: min(smallest.width, self.largest.width), height: min(smallest.height, self.largest.height))
        self.scale = scale
    }

    package struct Slot: Hashable, Sendable {
        /// The room that the picture has.
        package var size: PixelSize
        /// The size to which the picture is scaled. The slot cuts out its middle.
        package var fill: PixelSize

        package init(size: PixelSize, fill: PixelSize) {
            self.size = size
            self.fill = fill
        }
    }

    /// The slot of a picture of this size in pixels. One of unknown size, with a side of 0, gets a large square.
    package func slot(for picture: PixelSize) -> Slot {
        guard picture.width > 0, picture.height > 0 else {
            let side = min(largest.width, largest.height)
            let square = raised(PixelSize(width: side, height: side))
            return Slot(size: square, fill: square)
        }
        let fitted = fitted(picture)
        let size = raised(fitted)
        return Slot(size: size, fill: size == fitted ? size : picture.covering(size))
    }
}

extension MediaClamp {
    private func fitted(_ picture: PixelSize) -> PixelSize {
        let (width, height) = (scaled(picture.width), scaled(picture.height))
        if width <= largest.width, height <= largest.height { return PixelSize(width: width, height: height) }
        // A sliver that rounds to nothing has one pixel, if the box has one.
        return picture.isWider(than: largest)
            ? PixelSize(
                width: largest.width,
                height: min(max(picture.height.times(largest.width, over: picture.width), 1), largest.height))
            : PixelSize(
                width: min(max(picture.width.times(largest.height, over: picture.height), 1), largest.width),
                height: largest.height)
    }

    private func scaled(_ length: Int32) -> Int32 { max(length.times(scale.thousandths, over: 1000), 1) }

    private func raised(_ size: PixelSize) -> PixelSize {
        PixelSize(width: max(size.width, smallest.width), height: max(size.height, smallest.height))
    }
}

extension PixelSize {
    fileprivate func isWider(than other: PixelSize) -> Bool {
        Int64(width) * Int64(other.height) > Int64(height) * Int64(other.width)
    }

    /// The least size of this ratio that leaves nothing of the slot empty; the slot itself if the ratio is not known.
    func covering(_ slot: PixelSize) -> PixelSize {
        guard width > 0, height > 0 else { return slot }
        return isWider(than: slot)
            ? PixelSize(width: width.times(slot.height, over: height), height: slot.height)
            : PixelSize(width: slot.width, height: height.times(slot.width, over: width))
    }
}

extension Int32 {
    /// The product over the divisor: the nearest whole number, or the largest there is.
    fileprivate func times(_ factor: Int32, over divisor: Int32) -> Int32 {
        Int32(clamping: (Int64(self) * Int64(factor) + Int64(divisor / 2)) / Int64(divisor))
    }
}
