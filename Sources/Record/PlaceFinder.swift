import Bytes
import MessageLayout
import Typography

/// Finds the places of all layouts of a sheet, and numbers them in the order in which layouts ask for them.
///
/// A node is mostly as far from the edges that it is pinned to as it was in the last message with the same nodes, on every
/// target: then its places are known without a look at any of them.
struct PlaceFinder: ~Copyable {
    var table = PlaceTable()
    /// For each layout, or for more that are alike, for each node the number of its place, from 1; 0 for an absent one.
    private(set) var numbers = Buffer<Int32>()
    /// Layouts of which the places are numbered, by a hash of these.
    private var numbered = Buffer<Numbered>(capacity: Numbered.places)
    private var message: UInt64 = 0
    /// As the frames of a sheet are ordered, chunks of the table; -1 for none.
    private var chunks = Buffer<Lanes>()
    /// For each layout of a sheet, where some place is another than on the target before.
    private(set) var changes = Buffer<LaneMask>()
    /// The messages of which something is known, by their nodes.
    private var forms: [Form] = []
    /// As the frames of their sheets are ordered.
    private var memory = Buffer<Known>()
    private var found = Buffer<Found>(capacity: Found.places)
    private var targets: [Target] = []
    private var mirrored: [LaneMask] = []
    private var scales: [Lanes] = []

    private static let mostKnown = 4096

    private struct Form {
        var nodes: [Skeleton.Node]
        /// In `memory`.
        var places: Range<Int>
    }

    // Not private: the compiler stumbles over memory of what other files cannot name.
    struct Known {
        var lanes = PlaceLanes.unknown
        var chunks = Lanes(repeating: -1)
    }

    /// A chunk, by what it says. One that is forgotten is written again, and found by its bytes.
    struct Found {
        var numbers = PlaceNumbers.none
        var sides = PlaceNumbers.Sides([])
        var scale: Int32 = 0
        var chunk: Int32 = -1

        /// A power of two.
        static let places = 1024
    }

    struct Numbered {
        var message: UInt64 = 0
        /// In `chunks`.
        var first = 0
        var lane = 0
        var start: Int32 = 0

        /// A power of two.
        static let places = 32
    }

    /// Turns to other targets.
    mutating func forget(_ targets: [Target]) {
        self.targets = targets
        let groups = (targets.count + Lanes.scalarCount - 1) / Lanes.scalarCount
        mirrored = Array(repeating: LaneMask(Lanes()), count: groups)
        scales = Array(repeating: Lanes(), count: groups)
        for (place, target) in targets.enumerated() {
            let (group, lane) = place.quotientAndRemainder(dividingBy: Lanes.scalarCount)
            mirrored[group][lane] = target.isMirrored
            scales[group][lane] = target.scale.thousandths
        }
        forgetForms()
    }

    private mutating func forgetForms() {
        forms = []
        memory.removeAll()
        found.refill(Found(), count: Found.places)
        numbered.refill(Numbered(), count: Numbered.places)
    }

    /// Turns to another message.
    mutating func begin() {
        if !table.begin() { forgetForms() }
        message += 1
        numbers.removeAll()
    }

    /// - Parameter filled: for each node whether it has lines in any layout, and whether it has bars.
    mutating func find(
        _ sheet: LayoutSheet, _ nodes: borrowing Buffer<NodeForm>, _ filled: borrowing Buffer<Bool>,
        _ lines: borrowing Buffer<LineSizes>
    ) {
        let known = known(sheet)
        chunks.removeAll()
        changes.removeAll()
        var place = 0
        for group in 0..<sheet.groupCount {
            for column in 0..<sheet.columnCount {
                let layout = sheet.place(group, column)
                let outermost = PlaceLanes.Outer(width: sheet.sizes[layout].width, height: sheet.sizes[layout].height)
                var changes = LaneMask(Lanes())
                for node in 0..<nodes.count {
                    let own = find(sheet, place, node, group, outermost, nodes, filled, lines, at: known &+ place)
                    chunks.append(own)
                    changes = changes .| own.isOther
                    place &+= 1
                }
                self.changes.append(changes)
            }
        }
    }

    /// Where in `memory` that of such a message begins.
    private mutating func known(_ sheet: LayoutSheet) -> Int {
        let count = sheet.frames.count
        let nodes = sheet.skeleton.nodes
        if let form = forms.first(where: { $0.places.count == count && $0.nodes == nodes }) {
            return form.places.lowerBound
        }
        if memory.count + count > PlaceFinder.mostKnown {
            forms = []
            memory.removeAll()
        }
        let first = memory.count
        memory.append(repeating: Known(), count: count)
        forms.append(Form(nodes: nodes, places: first..<memory.count))
        return first
    }

    /// The chunks of a node that stands at `place` in the frames, and in `memory` at `known`.
    @inline(__always)
    private mutating func find(
        _ sheet: LayoutSheet, _ place: Int, _ node: Int, _ group: Int, _ outermost: PlaceLanes.Outer,
        _ nodes: borrowing Buffer<NodeForm>, _ filled: borrowing Buffer<Bool>, _ lines: borrowing Buffer<LineSizes>,
        at known: Int
    ) -> Lanes {
        let frames = sheet.frames.span
        guard frames[place].isPresent.isAny else { return Lanes(repeating: -1) }
        let (parent, sides) = (Int(nodes[node].parent), nodes[node].sides)
        precondition(parent < node)
        var outer = outermost
        if parent >= 0 { outer.turn(to: frames[place &- node &+ parent]) }
        var places = PlaceLanes(frames[place], in: outer, sides, mirrored: mirrored[group])
        if frames[place].extras >= 0 { places.add(sheet.extras[Int(frames[place].extras)]) }
        if filled[2 &* node] {
            places.hug(lines[place].width, lines[place].height, sides, where: frames[place].block .>= 0)
        }
        places.keep(frames[place].isPresent)
        let isOther = memory[known].lanes.isOther(places)
        if isOther.isAny { findAnew(places, group, sides, where: isOther, at: known) }
        return memory[known].chunks
    }

    @inline(never)
    private mutating func findAnew(
        _ places: PlaceLanes, _ group: Int, _ sides: PlaceNumbers.Sides, where mask: LaneMask, at known: Int
    ) {
        memory[known].lanes = places
        memory[known].chunks.set(-1, where: places.parts .== 0)
        var rest = mask .& (places.parts .!= 0)
        while let lane = rest.first {
            // Mostly all of a scale have the same.
            let alike = rest .& (scales[group] .== scales[group][lane]) .& .!places.isOther(in: lane)
            let scale = targets[group * Lanes.scalarCount + lane].scale
            memory[known].chunks.set(chunk(of: places.numbers(lane), sides, scale), where: alike)
            rest = rest .& .!alike
        }
    }

    private mutating func chunk(of numbers: PlaceNumbers, _ sides: PlaceNumbers.Sides, _ scale: Scale) -> Int32 {
        let place = Int(numbers.mixed(with: scale.thousandths)) & (Found.places - 1)
        if found[place].chunk >= 0, found[place].scale == scale.thousandths, found[place].sides == sides,
            found[place].numbers.isEqual(numbers)
        {
            return found[place].chunk
        }
        let chunk = numbers.append(to: &table.chunks, at: scale, sides)
        found[place] = Found(numbers: numbers, sides: sides, scale: scale.thousandths, chunk: chunk)
        return chunk
    }

    /// Numbers the places of a layout, and returns where these numbers begin: mostly another layout has the same places.
    mutating func number(_ layout: Int, _ lane: Int, nodes: Int) -> Int32 {
        let first = layout &* nodes
        var hash: UInt32 = 0
        for node in first..<first &+ nodes {
            hash = (hash ^ UInt32(bitPattern: chunks[node][lane])) &* 0x9e37_79b9
        }
        let place = Int(hash >> 27)
        let known = numbered[place]
        if known.message == message, areEqual(first, lane, known.first, known.lane, nodes) { return known.start }
        let start = Int32(numbers.count)
        for node in first..<first &+ nodes {
            let chunk = chunks[node][lane]
            numbers.append(chunk < 0 ? 0 : table.number(of: chunk))
        }
        numbered[place] = Numbered(message: message, first: first, lane: lane, start: start)
        return start
    }

    @inline(__always)
    private func areEqual(_ one: Int, _ lane: Int, _ other: Int, _ otherLane: Int, _ count: Int) -> Bool {
        for i in 0..<count where chunks[one &+ i][lane] != chunks[other &+ i][otherLane] { return false }
        return true
    }
}

extension SIMD16<Int32> {
    /// Where it is not as in the lane before.
    @inline(__always)
    var isOther: SIMDMask<SIMD16<Int32>> {
        let before = SIMD16<Int32>(
            self[0], self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10],
            self[11], self[12], self[13], self[14])
        return self .!= before
    }
}

extension PlaceLanes.Outer {
    /// Into a node, where that is there.
    fileprivate mutating func turn(to frames: LayoutSheet.Frames) {
        left.set(frames.left, where: frames.isPresent)
        top.set(frames.top, where: frames.isPresent)
        width.set(frames.width, where: frames.isPresent)
        height.set(frames.height, where: frames.isPresent)
    }
}
