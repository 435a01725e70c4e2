import Bytes
import Typography

/// A picture as it was fitted, and the room that it was fitted in.
struct MediaState {
    var isKnown = LaneMask.none
    var room = Lanes()
    var size = LanePixels()
    /// The sizes to which the picture is scaled: as fitted, and as placed.
    var fitted = LanePixels()
    var fill = LanePixels()
}

/// A size on each screen.
struct LanePixels {
    var width = Lanes()
    var height = Lanes()

    subscript(lane: Int) -> PixelSize {
        get { PixelSize(width: width[lane], height: height[lane]) }
        set { (width[lane], height[lane]) = (newValue.width, newValue.height) }
    }
}

/// The pictures of a message, and the bars of its voices, as they were fitted.
struct MediaFits: ~Copyable {
    private(set) var pictures: [PixelSize] = []
    private(set) var barHeights: [[UInt8]] = []
    /// The states of pictures, by part.
    var states = Buffer<MediaState>()
    private var mosaics = MosaicMemory()
    private var made = MadeMosaic()

    mutating func begin(_ plan: borrowing Plan) {
        (pictures, barHeights) = (plan.pictures, plan.bars)
        if !made.asked.isEmpty { made = MadeMosaic() }
        if states.count < plan.shapes.count { states.refill(MediaState(), count: plan.shapes.count) }
    }

    /// The width of a picture in some room on some screens of a group.
    mutating func fit(
        _ i: Int, _ shape: Shape, _ room: Lanes, where live: LaneMask, _ screens: borrowing LaneScreens, in group: Int
    ) -> Lanes {
        let isNew = live .& .!(states[i].isKnown .& (states[i].room .== room))
        if isNew.isAny { find(i, shape, room, where: isNew, screens, in: group) }
        return states[i].size.width
    }

    @inline(never)
    private mutating func find(
        _ i: Int, _ shape: Shape, _ room: Lanes, where isNew: LaneMask, _ screens: borrowing LaneScreens, in group: Int
    ) {
        func pixels(_ length: LengthID) -> Lanes { screens.pixels(length, in: group) }
        let lengths = shape.lengths
        let largest = LanePixels(width: smaller(room, pixels(lengths.a)), height: pixels(lengths.b))
        let smallest = LanePixels(width: pixels(lengths.c), height: pixels(lengths.d))
        var (last, slot): (MediaClamp?, MediaClamp.Slot?)
        for lane in isNew.lanes {
            let clamp = MediaClamp(
                largest: largest[lane], smallest: smallest[lane], scale: screens.scale(of: lane, in: group))
            if clamp != last { (last, slot) = (clamp, clamp.slot(for: pictures[Int(shape.value)])) }
            states[i].isKnown[lane] = true
            states[i].room[lane] = room[lane]
            (states[i].size[lane], states[i].fitted[lane]) = (slot!.size, slot!.fill)
        }
    }

    /// Places a picture, and returns its height. `isWider` are the lanes where it is wider than it was fitted.
    mutating func place(_ i: Int, _ picture: Int32, _ width: Lanes, where isWider: LaneMask) -> Lanes {
        states[i].fill = states[i].fitted
        cover(i, picture, width, states[i].size.height, where: isWider)
        return states[i].size.height
    }

    /// Scales a picture up until it covers a frame that is wider than it was fitted.
    mutating func cover(_ i: Int, _ picture: Int32, _ width: Lanes, _ height: Lanes, where mask: LaneMask) {
        guard mask.isAny else { return }
        let picture = pictures[Int(picture)]
        for lane in mask.lanes {
            states[i].fill[lane] = picture.covering(PixelSize(width: width[lane], height: height[lane]))
        }
    }

    /// A part with a picture in a mosaic.
    struct Cell {
        var part: Int
        var picture: Int32
        var there: LaneMask
        /// The place of the picture from the corner of the mosaic, once that is made.
        var rect = LaneRect()

        func isSame(as other: Cell) -> Bool {
            part == other.part && picture == other.picture && there.isSame(as: other.there)
        }
    }

    /// A mosaic as it was made: for other variants it is mostly the same.
    private struct MadeMosaic {
        var asked: [Cell] = []
        var frame = LaneFrame()
        var live = LaneMask.none
        var cells: [Cell] = []
        var height = Lanes()

        func serves(_ cells: [Cell], in frame: LaneFrame, where live: LaneMask) -> Bool {
            asked.count == cells.count && self.frame == frame && self.live.isSame(as: live)
                && asked.indices.allSatisfy { asked[$0].isSame(as: cells[$0]) }
        }
    }

    /// Puts cells into a mosaic, and returns its height. A cell that has no room becomes absent.
    mutating func place(
        _ cells: inout [Cell], in frame: LaneFrame, _ x: Lanes, _ y: Lanes, _ parts: inout Buffer<PartState>,
        where live: LaneMask
    ) -> Lanes {
        if !made.serves(cells, in: frame, where: live) { made = mosaic(of: cells, in: frame, where: live) }
        cells = made.cells
        for cell in cells {
            parts[cell.part].left.set(cell.rect.left &+ x, where: cell.there)
            parts[cell.part].top.set(cell.rect.top &+ y, where: cell.there)
            parts[cell.part].width.set(cell.rect.width, where: cell.there)
            parts[cell.part].height.set(cell.rect.height, where: cell.there)
        }
        return made.height
    }

    private mutating func mosaic(of asked: [Cell], in frame: LaneFrame, where live: LaneMask) -> MadeMosaic {
        let isSame = asked.allSatisfy { $0.there.isSame(as: live) }
        var made = MadeMosaic(asked: asked, frame: frame, live: live, cells: asked)
        var (shown, album) = ([Int](), [PixelSize]())
        for lane in live.lanes {
            if shown.isEmpty || !isSame {
                shown = asked.indices.filter { asked[$0].there[lane] }
                album = shown.map { pictures[Int(asked[$0].picture)] }
            }
            let mosaic = mosaics.mosaic(of: album, in: frame[lane])
            made.height[lane] = mosaic.size.height
            for (place, cell) in shown.enumerated() {
                guard place < mosaic.cells.count else {
                    made.cells[cell].there[lane] = false
                    continue
                }
                made.cells[cell].rect.put(mosaic.cells[place].rect, in: lane)
            }
        }
        return made
    }

    /// The width of all bars with the gaps between them.
    func width(ofBars shape: Shape, _ screens: borrowing LaneScreens, in group: Int) -> Lanes {
        let count = Int32(clamping: barHeights[Int(shape.value)].count)
        let (bar, gap) = (screens.pixels(shape.lengths.a, in: group), screens.pixels(shape.lengths.b, in: group))
        var width = Lanes()
        for lane in 0..<Lanes.scalarCount {
            width[lane] = Int32(clamping: Int64(count) * Int64(bar[lane] + gap[lane])) - (count > 0 ? gap[lane] : 0)
        }
        return width
    }
}

/// The limits of an album on each screen.
struct LaneFrame: Equatable {
    var width = Lanes()
    var height = Lanes()
    var spacing = Lanes()
    var least = Lanes()

    fileprivate subscript(lane: Int) -> Mosaic.Frame {
        Mosaic.Frame(width: width[lane], height: height[lane], spacing: spacing[lane], least: least[lane])
    }
}

extension Solver {
    mutating func fitMedia(_ i: Int, _ room: Room) -> Lanes {
        account.compare(pixels(shapes[i].lengths.a), with: room)
        return media.fit(i, shapes[i], room.pixels, where: live, screens, in: group)
    }

    mutating func placeMedia(_ i: Int, _ width: Lanes) -> Lanes {
        media.place(i, shapes[i].value, width, where: live .& (width .!= parts[i].fitted))
    }

    mutating func placeMosaic(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let lengths = shapes[i].lengths
        let frame = LaneFrame(
            width: width, height: pixels(lengths.a), spacing: pixels(lengths.b), least: pixels(lengths.c))
        var cells: [MediaFits.Cell] = []
        forEachPart(in: i) { solver, child, there in
            cells.append(MediaFits.Cell(part: child, picture: solver.shapes.picture(in: child), there: there))
        }
        let height = media.place(&cells, in: frame, x, y, &parts, where: live)
        for cell in cells where cell.there.isAny { _ = only(cell.there) { $0.placeCell(cell.part) } }
        return height
    }

    /// Places the part in a cell, whose rectangle is known. Returns its height.
    private mutating func placeCell(_ i: Int) -> Lanes {
        parts[i].isPresent = parts[i].isPresent .| live
        let cell = parts.rect(i)
        if shapes[i].operation == .media {
            media.cover(i, shapes[i].value, cell.width, cell.height, where: live)
        } else if shapes[i].operation == .overlay {
            parts.set(i + 1, cell)
            _ = placeCell(i + 1)
            placeOverlaid(i, cell)
        }
        return cell.height
    }
}

extension Buffer<Shape> {
    /// The picture of a part, below its overlays.
    fileprivate func picture(in part: Int) -> Int32 {
        var picture = part
        while self[picture].operation == .overlay { picture += 1 }
        return self[picture].value
    }
}
