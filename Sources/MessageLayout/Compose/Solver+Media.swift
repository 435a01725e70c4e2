import Bytes

/// A picture as it was fitted, and in what room.
struct MediaState {
    var isKnown = LaneMask.none
    var room = Lanes()
    var width = Lanes()
    var height = Lanes()
    /// The size to which the picture is scaled: as it was fitted, and where it was placed.
    var fitted = PictureFill()
    var fill = PictureFill()
}

struct PictureFill {
    var width = Lanes()
    var height = Lanes()

    subscript(lane: Int) -> PixelSize {
        get { PixelSize(width: width[lane], height: height[lane]) }
        set { (width[lane], height[lane]) = (newValue.width, newValue.height) }
    }
}

/// Pictures, mosaics of pictures, and the bars of a voice.
extension Solver {
    mutating func fitMedia(_ i: Int, _ room: Room) -> Lanes {
        let largest = pixels(shapes[i].lengths.a)
        spare(room.pixels &- largest, room)
        wantsMore(room, where: room.pixels .< largest)
        let isNew = live .& .!(media[i].isKnown .& (media[i].room .== room.pixels))
        if isNew.isAny { clamp(i, room.pixels, largest, where: isNew) }
        return media[i].width
    }

    @inline(never)
    private mutating func clamp(_ i: Int, _ room: Lanes, _ largest: Lanes, where isNew: LaneMask) {
        let lengths = shapes[i].lengths
        let (highest, least, lowest) = (pixels(lengths.b), pixels(lengths.c), pixels(lengths.d))
        var (last, slot): (MediaClamp?, MediaClamp.Slot?)
        for lane in isNew.lanes {
            let screen = screen(of: lane)
            let clamp = MediaClamp(
                largest: PixelSize(width: min(room[lane], largest[lane]), height: highest[lane]),
                smallest: PixelSize(width: least[lane], height: lowest[lane]),
                scale: screens.metrics[screen].target.scale)
            if clamp != last { (last, slot) = (clamp, clamp.slot(for: pictures[Int(shapes[i].value)])) }
            media[i].isKnown[lane] = true
            media[i].room[lane] = room[lane]
            media[i].width[lane] = slot!.size.width
            media[i].height[lane] = slot!.size.height
            media[i].fitted[lane] = slot!.fill
        }
    }

    /// Wider than it was fitted, it is cut out of a larger picture.
    mutating func placeMedia(_ i: Int, _ width: Lanes) -> Lanes {
        media[i].fill = media[i].fitted
        cover(i, width, media[i].height, where: live .& (width .!= parts[i].fitted))
        return media[i].height
    }

    private mutating func cover(_ i: Int, _ width: Lanes, _ height: Lanes, where mask: LaneMask) {
        guard mask.isAny else { return }
        let picture = pictures[Int(shapes[i].value)]
        for lane in mask.lanes {
            media[i].fill[lane] = picture.covering(PixelSize(width: width[lane], height: height[lane]))
        }
    }

    mutating func fitMosaic(_ room: Room) -> Lanes {
        pin(room)
        return room.pixels
    }

    mutating func placeMosaic(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let lengths = shapes[i].lengths
        let (most, spacing, least) = (pixels(lengths.a), pixels(lengths.b), pixels(lengths.c))
        var all: [(part: Int, there: LaneMask)] = []
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny { all.append((child, there)) }
            child = Int(shapes[child].end)
        }
        let isSame = all.allSatisfy { $0.there.isSame(as: live) }
        var (height, cells, album) = (Lanes(), [Int](), [PixelSize]())
        for lane in live.lanes {
            if cells.isEmpty || !isSame {
                cells = all.filter { $0.there[lane] }.map(\.part)
                album = cells.map { pictures[Int(shapes[mediaPart(of: $0)].value)] }
            }
            let mosaic = mosaics.mosaic(
                of: album,
                in: Mosaic.Frame(
                    width: width[lane], height: most[lane], spacing: spacing[lane], least: least[lane]))
            height[lane] = mosaic.size.height
            for (place, cell) in cells.enumerated() {
                guard place < mosaic.cells.count else {
                    all[all.firstIndex { $0.part == cell }!].there[lane] = false
                    continue
                }
                let rect = mosaic.cells[place].rect
                (parts[cell].left[lane], parts[cell].top[lane]) = (rect.left &+ x[lane], rect.top &+ y[lane])
                (parts[cell].width[lane], parts[cell].height[lane]) = (rect.width, rect.height)
            }
        }
        for cell in all where cell.there.isAny {
            let outer = live
            live = cell.there
            placeCell(cell.part)
            live = outer
        }
        return height
    }

    /// The picture itself, below what stands over it.
    private func mediaPart(of i: Int) -> Int { shapes[i].operation == .overlay ? mediaPart(of: i + 1) : i }

    /// The part in a cell that has its place.
    private mutating func placeCell(_ i: Int) {
        parts[i].isPresent = parts[i].isPresent .| live
        let cell = LaneRect(
            left: parts[i].left, top: parts[i].top, width: parts[i].width, height: parts[i].height)
        if shapes[i].operation == .media {
            cover(i, cell.width, cell.height, where: live)
        } else if shapes[i].operation == .overlay {
            (parts[i + 1].left, parts[i + 1].top) = (cell.left, cell.top)
            (parts[i + 1].width, parts[i + 1].height) = (cell.width, cell.height)
            placeCell(i + 1)
            placeOverlaid(i, cell)
        }
    }

    mutating func fitBars(_ i: Int, _ room: Room) -> Lanes {
        let lengths = shapes[i].lengths
        let count = Int32(clamping: barHeights[Int(shapes[i].value)].count)
        let (bar, gap) = (pixels(lengths.a), pixels(lengths.b))
        var wanted = Lanes()
        for lane in 0..<Lanes.scalarCount {
            wanted[lane] =
                Int32(clamping: Int64(count) * Int64(bar[lane] + gap[lane])) - (count > 0 ? gap[lane] : 0)
        }
        compare(wanted, with: room)
        return smaller(wanted, room.pixels)
    }

    /// The bars that there is room for.
    func barRow(_ i: Int, _ lane: Int) -> BarRow {
        let lengths = shapes[i].lengths
        let (bar, gap) = (max(1, pixels(lengths.a)[lane]), pixels(lengths.b)[lane])
        return BarRow(
            heights: shapes[i].value, count: (parts[i].width[lane] + gap) / (bar + gap), least: bar,
            most: min(255, pixels(lengths.c)[lane]))
    }
}
