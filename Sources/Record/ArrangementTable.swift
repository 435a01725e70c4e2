import Bytes
import MessageLayout
import Typography

/// The places of nodes in all layouts of a sheet. Targets on which all places are alike, in points or in device
/// pixels, are a class, whose places are told once.
///
/// A node is mostly as far from the edges that it is pinned to as it was in an earlier message with the same nodes:
/// on each target either as in the last message, or as in the last one with the stamp elsewhere. Then its places are
/// known without a look at any of them.
struct ArrangementTable: ~Copyable {
    private(set) var classes = ClassMap()
    private var numbers = PlaceTable()
    /// Places in `numbers`, by group of targets, variant and state, of the layout and of each node.
    private var places = Buffer<Lanes>()
    /// The same, by class and without groups.
    private var values = Buffer<Int32>()
    /// The messages whose places are remembered, by their nodes.
    private var forms: [Form] = []
    /// The places of these messages, in the order of the frames of their sheets.
    private var memory = Buffer<Known>()

    /// The end of each class but the first, in bits.
    private var ends = Buffer<Int>()
    /// The number of bits of a place.
    private var width = 0

    private static let mostKnown = 4096

    private struct Form {
        var nodes: [Skeleton.Node]
        /// Its places in `memory`.
        var places: Range<Int>
    }

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    /// The last place of a node, and on each target its place before that.
    struct Known {
        var last = PlaceLanes.unknown
        var lastPlaces = Lanes()
        var earlier = PlaceLanes.unknown
        var earlierPlaces = Lanes()
    }

    /// Turns to other targets.
    mutating func forget() {
        forms = []
        memory.removeAll()
        numbers.removeAll()
    }

    /// Turns to another message.
    mutating func find(
        _ sheet: LayoutSheet, _ nodes: borrowing Buffer<NodeForm>, _ lines: borrowing Buffer<LineSizes>,
        _ screens: borrowing SheetScreens, stem: Int
    ) {
        if numbers.isFull { forget() }
        numbers.begin(stem)
        classes.removeAll()
        values.removeAll()
        places.removeAll()
        let known = known(sheet)
        let items = sheet.columnCount &* (nodes.count &+ 1)
        for group in 0..<sheet.groupCount {
            for column in 0..<sheet.columnCount {
                let layout = sheet.place(group, column)
                places.append(findLayout(layout, group, sheet, nodes.count, lines, screens))
                let outer = PlaceLanes.Outer(width: sheet.sizes[layout].width, height: sheet.sizes[layout].height)
                for node in 0..<nodes.count {
                    let place = layout &* nodes.count &+ node
                    places.append(find(place, node, group, outer, sheet, nodes, lines, screens, at: known &+ place))
                }
            }
            sort(group, items, screens)
        }
        tellPlaces(items, nodes.count &+ 1)
    }

    /// Turns the values of nodes from places in the table into numbers of the record.
    private mutating func tellPlaces(_ items: Int, _ perColumn: Int) {
        var place = 0
        for _ in 0..<classes.count &* (items / max(1, perColumn)) {
            place &+= 1
            for _ in 1..<perColumn {
                values[place] = numbers.number(values[place])
                place &+= 1
            }
        }
    }

    /// Writes the places that no stem has.
    func writePlaces(to record: inout Buffer<UInt8>) throws(ByteError) { try numbers.write(to: &record) }

    /// Puts the targets of a group into classes: into those of groups before it, and then the first target that is in
    /// none of these into one of its own, with all that are like it, until none is left.
    private mutating func sort(_ group: Int, _ items: Int, _ screens: borrowing SheetScreens) {
        let (first, count, known) = (group &* items, screens.lanes(of: group), classes.count)
        var rest = UInt32.max &>> UInt32(truncatingIfNeeded: 32 &- count)
        var (found, number) = (Lanes(), 0)
        while rest != 0 {
            if number >= known {
                let lane = rest.trailingZeroBitCount
                for item in 0..<items { values.append(places[first &+ item].number(in: lane)) }
            }
            var isAlike = LaneMask(Lanes(repeating: -1))
            for item in 0..<items {
                isAlike = isAlike .& (places[first &+ item] .== Lanes(repeating: values[number &* items &+ item]))
            }
            // No two classes have the same places, so a target that is in one is like no other.
            found.set(Int32(truncatingIfNeeded: number), where: isAlike)
            rest &= ~isAlike.bits
            number &+= 1
        }
        for lane in 0..<count { classes.append(found.number(in: lane)) }
    }

    /// Returns the place in `memory` where the places of a message with these nodes begin.
    private mutating func known(_ sheet: LayoutSheet) -> Int {
        let count = sheet.frames.count
        let nodes = sheet.skeleton.nodes
        if let form = forms.first(where: { $0.places.count == count && $0.nodes == nodes }) {
            return form.places.lowerBound
        }
        if memory.count + count > Self.mostKnown {
            forms = []
            memory.removeAll()
        }
        let first = memory.count
        memory.append(repeating: Known(), count: count)
        forms.append(Form(nodes: nodes, places: first..<memory.count))
        return first
    }

    /// Finds by how much layouts are wider and higher than their lines.
    private mutating func findLayout(
        _ layout: Int, _ group: Int, _ sheet: LayoutSheet, _ nodes: Int, _ lines: borrowing Buffer<LineSizes>,
        _ screens: borrowing SheetScreens
    ) -> Lanes {
        var (own, widest) = (sheet.sizes[layout], Lanes())
        for node in layout &* nodes..<(layout &+ 1) &* nodes {
            widest = larger(widest, lines[node].width)
            own.height &-= lines[node].height
        }
        own.width &-= widest
        let turns = screens.scales[group].isOther .| own.stamp.isOther .| own.width.isOther .| own.height.isOther
        var found = Lanes()
        for lane in LaneWalk(rest: turns.bits | 1) where lane < screens.lanes(of: group) {
            let place = numbers.place(
                ofLayout: own.stamp.number(in: lane), own.width.number(in: lane), own.height.number(in: lane),
                screens.scale(group, lane))
            found.set(place, where: LaneMask(from: lane))
        }
        return found
    }

    /// Finds the places of a node that stands at `place` in the frames, and at `known` in `memory`.
    @inline(__always)
    private mutating func find(
        _ place: Int, _ node: Int, _ group: Int, _ outer: PlaceLanes.Outer, _ sheet: LayoutSheet,
        _ nodes: borrowing Buffer<NodeForm>, _ lines: borrowing Buffer<LineSizes>, _ screens: borrowing SheetScreens,
        at known: Int
    ) -> Lanes {
        guard sheet.frames[place].isPresent.isAny else { return Lanes() }
        let own = PlaceLanes(sheet, place, node, nodes, in: outer, lines[place], mirrored: screens.mirrored[group])
        let isOther = memory[known].last.isOther(own)
        guard isOther.isAny else { return memory[known].lastPlaces }
        let isNew = isOther .& memory[known].earlier.isOther(own)
        if isNew.isAny { findAnew(own, group, nodes[node].sides, screens, where: isNew, at: known) }
        return memory[known].lastPlaces.replacing(with: memory[known].earlierPlaces, where: isOther .& .!isNew)
    }

    @inline(never)
    private mutating func findAnew(
        _ own: PlaceLanes, _ group: Int, _ sides: PlaceNumbers.Sides, _ screens: borrowing SheetScreens,
        where mask: LaneMask, at known: Int
    ) {
        memory[known].earlier.set(memory[known].last, where: mask)
        memory[known].earlierPlaces.set(memory[known].lastPlaces, where: mask)
        memory[known].last.set(own, where: mask)
        // Neighbouring targets of one scale mostly have the same place.
        let turns = (screens.scales[group].isOther .| own.isOtherBefore).bits
        var own = own
        var (last, place) = (-2, 0 as Int32)
        for lane in mask.lanes where lane < screens.lanes(of: group) {
            if lane != last &+ 1 || turns &>> UInt32(truncatingIfNeeded: lane) & 1 != 0 {
                place =
                    own.parts(of: lane).rawValue == 0
                    ? 0 : numbers.place(of: &own, lane, screens.scale(group, lane), sides)
            }
            memory[known].lastPlaces.put(place, in: lane)
            last = lane
        }
    }
}

// Writing into the bits of a record.
extension ArrangementTable {
    mutating func write(
        to bits: inout GolombSink, columns: Int, nodes: Int, _ screens: Screens, by piece: inout GolombSink
    ) {
        classes.write(to: &bits, screens)
        width = numbers.width
        ends.removeAll()
        for number in 1..<max(1, classes.count) {
            write(number, columns, nodes, to: &piece)
            ends.append(piece.count)
        }
        bits.lengths(ends)
        write(0, columns, nodes, to: &bits)
        bits.append(&piece)
    }

    /// Writes one class. It is `mutating`, as each call would be given a copy of the tables otherwise.
    private mutating func write(_ number: Int, _ columns: Int, _ nodes: Int, to bits: inout GolombSink) {
        let size = columns &* (nodes &+ 1)
        for column in 0..<columns {
            let first = number &* size &+ column &* (nodes &+ 1)
            var item = 0
            while item <= nodes {
                let end = min(item + GolombSink.most, nodes + 1)
                write(
                    item..<end, from: first, before: column > 0 ? nodes &+ 1 : nil,
                    base: number > 0 ? number &* size : nil, to: &bits)
                item = end
            }
        }
    }

    /// Writes some items of a layout: a flag for each, set if it is not as in the variant or state before, or not as
    /// in the first class; then the items with a flag.
    /// - Parameters:
    ///   - before: how much earlier in `values` the items of the variant or state before are.
    ///   - base: how much earlier those of the first class are.
    private mutating func write(
        _ items: Range<Int>, from first: Int, before: Int?, base: Int?, to bits: inout GolombSink
    ) {
        var others = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- items.count)
        if let back = before ?? base {
            var (place, bit) = (first &+ items.lowerBound, 1 as UInt64)
            let all = unsafe values.elements
            precondition(place >= back && place + items.count <= all.count)
            for _ in items {
                if unsafe all[place] == all[place &- back] { others ^= bit }
                place &+= 1
                bit &<<= 1
            }
            bits.bits(others, UInt64(truncatingIfNeeded: items.count))
        }
        while others != 0 {
            let item = items.lowerBound &+ others.trailingZeroBitCount
            let place = first &+ item
            others &= others &- 1
            if before != nil, let base {
                let isAsBase = values[place] == values[place &- base]
                bits.flag(isAsBase)
                if isAsBase { continue }
            }
            if item == 0 {
                var like = PlaceNumbers.absent
                if let back = before ?? base { like = numbers[values[place &- back]] }
                bits.append(numbers[values[place]], like: like)
            } else {
                bits.bits(UInt64(values[place]), UInt64(truncatingIfNeeded: width))
            }
        }
    }
}
