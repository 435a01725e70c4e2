import Bytes
import MessageLayout
import Typography

/// One layout: its shape, and what fills it.
extension RecordEncoder {
    mutating func encodeLayout(_ slice: Int, slot: Int, isMirrored: Bool, _ sheet: LayoutSheet) {
        let own = sheet.slices[slice]
        let firstFill = fills.count
        fills.append(repeating: 0, count: filled.count)
        var hugged = PixelSize(width: 0, height: 0)
        let places =
            own.isOutline && isKnown(own.arrangement)
            ? encodeOutline(own, firstFill, &hugged, sheet) : encodeWhole(own, isMirrored, firstFill, &hugged, sheet)
        let layout = Layout(
            stamp: own.stamp, width: own.size.width &- hugged.width, height: own.size.height &- hugged.height,
            places: places)
        let last = lastLayouts[slot]
        append(layout, like: last)
        lastLayouts[slot] = Int32(layouts.count - 1)
    }

    /// Only the texts of a layout whose arrangement is known. Returns where the numbers of its places begin.
    private mutating func encodeOutline(
        _ own: LayoutSheet.Slice, _ firstFill: Int, _ hugged: inout PixelSize, _ sheet: LayoutSheet
    ) -> Int32 {
        let known = arrangements[Int(own.arrangement)]
        let texts = sheet.fills.span
        for text in 0..<Int(known.textCount) {
            let fill = texts[Int(own.placements) + text]
            let node = Int(arrangedTexts[Int(known.texts) + text])
            encodeBlock(fill.block, node: node, width: fill.width, firstFill, &hugged, sheet)
        }
        return places(of: Int(own.arrangement))
    }

    private mutating func encodeWhole(
        _ own: LayoutSheet.Slice, _ isMirrored: Bool, _ firstFill: Int, _ hugged: inout PixelSize, _ sheet: LayoutSheet
    ) -> Int32 {
        let all = sheet.placements(of: own)
        let placements = all.span
        for i in 0..<nodes.count {
            let placement = placements[i]
            if placement.block >= 0 {
                encodeBlock(placement.block, node: i, width: placement.frame.width, firstFill, &hugged, sheet)
            }
            if placement.bars.lowerBound < placement.bars.upperBound {
                encodeBars(placement, node: i, firstFill, sheet)
            }
        }
        let number = Int(own.arrangement)
        if isKnown(own.arrangement) { return places(of: number) }
        find(own.size, isMirrored: isMirrored, placements)
        guard number >= 0 && number < RecordEncoder.mostArrangements else { return enumerate() }
        remember(number, placements)
        return places(of: number)
    }

    @inline(__always)
    private func isKnown(_ arrangement: Int32) -> Bool {
        arrangement >= 0 && arrangement < arrangements.count && arrangements[Int(arrangement)].chunks >= 0
    }

    /// Keeps the chunks of the layout at work for others that are arranged so.
    private mutating func remember(_ number: Int, _ placements: borrowing Span<LayoutSheet.Placement>) {
        while arrangements.count <= number { arrangements.append(Arrangement()) }
        arrangements[number].chunks = Int32(arrangedPlaces.count)
        arrangements[number].texts = Int32(arrangedTexts.count)
        for i in 0..<chunks.count {
            arrangedPlaces.append(chunks[i])
            if placements[i].block >= 0 { arrangedTexts.append(Int32(i)) }
        }
        arrangements[number].textCount = Int32(arrangedTexts.count) - arrangements[number].texts
    }

    /// Where the numbers of a known arrangement's places begin.
    @inline(__always)
    private mutating func places(of number: Int) -> Int32 {
        if arrangements[number].message != message {
            chunks.removeAll()
            let first = Int(arrangements[number].chunks)
            for i in first..<first + nodes.count { chunks.append(arrangedPlaces[i]) }
            arrangements[number].message = message
            arrangements[number].places = enumerate()
        }
        return arrangements[number].places
    }

    private static let mostArrangements = 4096

    /// Numbers the chunks of the layout at work.
    private mutating func enumerate() -> Int32 {
        let first = placeNumbers.count
        for i in 0..<chunks.count { placeNumbers.append(chunks[i] < 0 ? 0 : places.number(of: chunks[i])) }
        return Int32(first)
    }

    /// Finds the places of a layout, told from the edges that each is pinned to.
    private mutating func find(
        _ size: PixelSize, isMirrored: Bool, _ placements: borrowing Span<LayoutSheet.Placement>
    ) {
        let all = PixelRect(left: 0, top: 0, width: size.width, height: size.height)
        chunks.removeAll()
        for i in 0..<nodes.count {
            let placement = placements[i]
            guard placement.isPresent else {
                chunks.append(-1)
                continue
            }
            let parent = Int(nodes[i].parent)
            precondition(parent < i)
            let isInside = parent >= 0 && placements[parent].isPresent
            let outer = isInside ? placements[parent].frame : all
            var numbers = PlaceNumbers(placement, in: outer, nodes[i].sides, isMirrored: isMirrored)
            if placement.block >= 0 {
                let known = knownBlocks[Int(placement.block)]
                numbers.hug(known.widest, known.height, nodes[i].sides)
            }
            chunks.append(chunk(of: numbers, node: i))
        }
    }

    /// With the shape of another, if there is one and nothing differs.
    private mutating func append(_ layout: Layout, like other: Int32) {
        var layout = layout
        if other >= 0 && layouts[Int(other)].isEqual(to: layout) {
            layout.shape = layouts[Int(other)].shape
        } else {
            layout.shape = encodeShape(layout)
        }
        layouts.append(layout)
    }

    @inline(__always)
    private mutating func encodeBlock(
        _ block: Int32, node: Int, width: Int32, _ firstFill: Int, _ hugged: inout PixelSize, _ sheet: LayoutSheet
    ) {
        let known = encodeBlock(Int(block), node: node, width: width, sheet)
        hugged.width = max(hugged.width, known.widest)
        hugged.height &+= known.height
        fills[firstFill + 2 * node] = known.content
        filled[2 * node] = true
    }

    private mutating func chunk(of numbers: PlaceNumbers, node: Int) -> Int32 {
        var known = lastPlaces[node]
        while known >= 0 {
            if knownPlaces[Int(known)].numbers.isEqual(numbers) { return knownPlaces[Int(known)].chunk }
            known = knownPlaces[Int(known)].before
        }
        let chunk = numbers.append(to: &places.chunks, at: scale, nodes[node].sides)
        knownPlaces.append(KnownPlace(numbers: numbers, chunk: chunk, before: lastPlaces[node]))
        lastPlaces[node] = Int32(knownPlaces.count - 1)
        return chunk
    }

    /// From 1.
    private mutating func encodeShape(_ layout: Layout) -> Int32 {
        var own = KnownShape(
            message: message, head: UInt32(layout.stamp.rawValue), width: UInt32(bitPattern: layout.width),
            height: UInt32(bitPattern: layout.height), places: layout.places, number: 0)
        let isPoints: Bool
        if let wide = RecordForm.points(layout.width, scale), let high = RecordForm.points(layout.height, scale) {
            (own.head, own.width, own.height, isPoints) = (own.head | RecordForm.pointsShape, wide, high, true)
        } else {
            isPoints = false
        }
        let place = own.place
        if knownShapes[place].isLike(own) { return knownShapes[place].number }
        shapes.number(own.head)
        if isPoints {
            shapes.number(own.width)
            shapes.number(own.height)
        } else {
            shapes.signed(layout.width)
            shapes.signed(layout.height)
        }
        for i in Int(layout.places)..<Int(layout.places) + nodes.count { shapes.number(placeNumbers[i]) }
        own.number = shapes.close() + 1
        knownShapes[place] = own
        return own.number
    }

    private mutating func encodeBars(
        _ placement: LayoutSheet.Placement, node: Int, _ firstFill: Int, _ sheet: LayoutSheet
    ) {
        contents.number(UInt32(placement.bars.count) << RecordForm.countShift | RecordForm.bars)
        for i in placement.bars { contents.number(UInt32(sheet.bars[Int(i)])) }
        fills[firstFill + 2 * node + 1] = contents.close() + 1
        filled[2 * node + 1] = true
    }
}

extension RecordEncoder.Layout {
    @inline(__always)
    fileprivate func isEqual(to other: Self) -> Bool {
        places == other.places && stamp.rawValue == other.stamp.rawValue && width == other.width
            && height == other.height
    }
}
