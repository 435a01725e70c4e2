import Bytes
import MessageLayout
import Typography

/// Finds the places of all layouts of a sheet, and numbers them in the order in which layouts ask for them.
///
/// A node is mostly as far from the edges that it is pinned to as it was in an earlier message with the same nodes: on every
/// target, if not as in the last message, then as in the last one in which the stamp stood elsewhere. Then its places are known
/// without a look at any of them.
struct PlaceFinder: ~Copyable {
    var table = PlaceTable()
    /// As the frames of a sheet are ordered, chunks of the table; -1 for none.
    private var chunks = Buffer<Lanes>()
    /// For each layout of a sheet, a hash of these.
    private(set) var hashes = Buffer<Lanes>()
    private var nodeCount = 0
    /// For each layout of a sheet, where some place is another than on the target before.
    private(set) var changes = Buffer<LaneMask>()
    /// The messages of which something is known, by their nodes.
    private var forms: [Form] = []
    /// As the frames of their sheets are ordered.
    private var memory = Buffer<Known>()
    private var found = Buffer<Found>(capacity: Found.places)
    private var targets: [Target] = []
    private var mirrored: [LaneMask] = []
    /// For each group of targets, in thousandths.
    private(set) var scales: [Lanes] = []

    private static let mostKnown = 4096

    private struct Form {
        var nodes: [Skeleton.Node]
        /// In `memory`.
        var places: Range<Int>
    }

    // Not private: the compiler stumbles over memory of what other files cannot name.
    /// What a node's places were last, and on each target what they were before that.
    struct Known {
        var last = PlaceLanes.unknown
        var lastChunks = Lanes(repeating: -1)
        var earlier = PlaceLanes.unknown
        var earlierChunks = Lanes(repeating: -1)
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
    }

    /// Turns to another message.
    mutating func begin() {
        if !table.begin() { forgetForms() }
    }

    /// - Parameter filled: for each node whether it has lines in any layout, and whether it has bars.
    mutating func find(
        _ sheet: LayoutSheet, _ nodes: borrowing Buffer<NodeForm>, _ filled: borrowing Buffer<Bool>,
        _ lines: borrowing Buffer<LineSizes>
    ) {
        let known = known(sheet)
        nodeCount = nodes.count
        chunks.removeAll()
        hashes.removeAll()
        changes.removeAll()
        var place = 0
        for group in 0..<sheet.groupCount {
            for column in 0..<sheet.columnCount {
                let layout = sheet.place(group, column)
                let outermost = PlaceLanes.Outer(width: sheet.sizes[layout].width, height: sheet.sizes[layout].height)
                var (hash, changes) = (Lanes(), LaneMask(Lanes()))
                for node in 0..<nodes.count {
                    let own = find(sheet, place, node, group, outermost, nodes, filled, lines, at: known &+ place)
                    chunks.append(own)
                    hash = (hash &<< Lanes(repeating: 5)) &+ hash &+ own
                    changes = changes .| own.isOther
                    place &+= 1
                }
                hashes.append(hash)
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
        let sides = nodes[node].sides
        let places = PlaceLanes(
            sheet, place, node, nodes, in: outermost, filled[2 &* node] ? lines[place] : nil, mirrored: mirrored[group])
        let isOther = memory[known].last.isOther(places)
        guard isOther.isAny else { return memory[known].lastChunks }
        let isNew = isOther .& memory[known].earlier.isOther(places)
        if isNew.isAny { findAnew(places, group, sides, where: isNew, at: known) }
        return memory[known].lastChunks.replacing(with: memory[known].earlierChunks, where: isOther .& .!isNew)
    }

    @inline(never)
    private mutating func findAnew(
        _ places: PlaceLanes, _ group: Int, _ sides: PlaceNumbers.Sides, where mask: LaneMask, at known: Int
    ) {
        memory[known].earlier.set(memory[known].last, where: mask)
        memory[known].earlierChunks.set(memory[known].lastChunks, where: mask)
        memory[known].last.set(places, where: mask)
        // Mostly neighbours of a scale have the same.
        let turns = (scales[group].isOther .| places.isOtherBefore).bits
        var (last, chunk) = (-2, Int32(-1))
        for lane in mask.lanes {
            if places.parts[lane] == 0 {
                chunk = -1
            } else if lane != last + 1 || turns >> UInt32(lane) & 1 != 0 {
                let scale = targets[group * Lanes.scalarCount + lane].scale
                chunk = self.chunk(of: places.numbers(lane), sides, scale)
            }
            memory[known].lastChunks[lane] = chunk
            last = lane
        }
    }

    private mutating func chunk(of numbers: PlaceNumbers, _ sides: PlaceNumbers.Sides, _ scale: Scale) -> Int32 {
        let place = Int(numbers.mixed(with: scale.thousandths)) & (Found.places - 1)
        if found[place].chunk >= 0, found[place].scale == scale.thousandths, found[place].sides == sides,
            found[place].numbers.isEqual(numbers)
        {
            return found[place].chunk
        }
        numbers.append(to: &table.chunks, at: scale, sides)
        let chunk = table.chunks.close()
        found[place] = Found(numbers: numbers, sides: sides, scale: scale.thousandths, chunk: chunk)
        return chunk
    }

    /// The number of a node's place in a layout, from 1; 0 where it is absent. They are numbered as they are asked for.
    @inline(__always)
    mutating func number(_ layout: Int, _ lane: Int, node: Int) -> Int32 {
        let chunk = chunks[layout &* nodeCount &+ node][lane]
        return chunk < 0 ? 0 : table.number(of: chunk)
    }

    /// Whether nodes have the same places in two layouts.
    @inline(__always)
    func areEqual(_ layout: Int, _ lane: Int, _ other: Int, _ otherLane: Int) -> Bool {
        let (first, otherFirst) = (layout &* nodeCount, other &* nodeCount)
        for node in 0..<nodeCount where chunks[first &+ node][lane] != chunks[otherFirst &+ node][otherLane] {
            return false
        }
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
