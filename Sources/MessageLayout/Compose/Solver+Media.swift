import Bytes

/// Pictures, mosaics of pictures, and the bars of a voice.
extension Solver {
    mutating func fitMedia(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let largest = pixels(shape.lengths.a)
        if room.pixels < largest { pin(room) } else { spare(room.pixels - largest, room) }
        let clamp = MediaClamp(
            largest: PixelSize(width: min(room.pixels, largest), height: pixels(shape.lengths.b)),
            smallest: PixelSize(width: pixels(shape.lengths.c), height: pixels(shape.lengths.d)),
            scale: metrics.target.scale)
        let slot = clamp.slot(for: pictures[Int(shape.value)])
        parts[i].frame.height = slot.size.height
        parts[i].fill = slot.fill
        return slot.size.width
    }

    /// Wider than it was fitted, it is cut out of a larger picture.
    mutating func placeMedia(_ i: Int, _ shape: Shape, _ width: Int32) -> Int32 {
        let height = parts[i].frame.height
        if width != parts[i].width {
            parts[i].fill = pictures[Int(shape.value)].covering(PixelSize(width: width, height: height))
        }
        return height
    }

    mutating func fitMosaic(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        pin(room)
        return room.pixels
    }

    mutating func placeMosaic(
        _ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32
    ) -> Int32 {
        var cells: [Int] = []
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) { cells.append(child) }
            child = Int(shapes[child].end)
        }
        let mosaic = mosaics.mosaic(
            of: cells.map { pictures[Int(shapes[mediaPart(of: $0)].value)] },
            in: Mosaic.Frame(
                width: width, height: pixels(shape.lengths.a), spacing: pixels(shape.lengths.b),
                least: pixels(shape.lengths.c)))
        for (part, cell) in zip(cells, mosaic.cells) {
            var frame = cell.rect
            frame.left += x
            frame.top += y
            placeCell(part, frame)
        }
        return mosaic.size.height
    }

    /// The picture itself, below what stands over it.
    private func mediaPart(of i: Int) -> Int { shapes[i].operation == .overlay ? mediaPart(of: i + 1) : i }

    private mutating func placeCell(_ i: Int, _ cell: PixelRect) {
        parts[i].isPresent = true
        parts[i].frame = cell
        let shape = shapes[i]
        if shape.operation == .media {
            parts[i].fill = pictures[Int(shape.value)].covering(PixelSize(width: cell.width, height: cell.height))
        } else if shape.operation == .overlay {
            placeCell(i + 1, cell)
            placeOverlaid(i, shape, cell)
        }
    }

    mutating func fitBars(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let count = Int32(clamping: barHeights[Int(shape.value)].count)
        let (bar, gap) = (pixels(shape.lengths.a), pixels(shape.lengths.b))
        let wanted = Int32(clamping: Int64(count) * Int64(bar + gap)) - (count > 0 ? gap : 0)
        if wanted <= room.pixels { spare(room.pixels - wanted, room) } else { pin(room) }
        return min(wanted, room.pixels)
    }

    /// Heights of the bars that there is room for, each the highest of those that it stands for, and never lower than it
    /// is wide.
    func bars(_ i: Int) -> [UInt8] {
        let shape = shapes[i]
        let heights = barHeights[Int(shape.value)]
        let (bar, gap) = (max(1, pixels(shape.lengths.a)), pixels(shape.lengths.b))
        let count = min(Int((parts[i].frame.width + gap) / (bar + gap)), heights.count)
        let most = min(255, pixels(shape.lengths.c))
        return (0..<max(0, count)).map { place in
            let own = heights[place * heights.count / count..<(place + 1) * heights.count / count]
            return UInt8(clamping: max(min(bar, most), Int32(own.max() ?? 0) * most / 255))
        }
    }
}
