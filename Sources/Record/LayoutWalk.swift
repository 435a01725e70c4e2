import Bytes
import MessageLayout
import Typography

/// Reads the bits of a record, in their order: the maps of blocks, and the places of nodes; then the contents of the
/// blocks, by a `ContentReader`; last, the reaches of layouts. So heights are known without the contents of blocks.
///
/// It keeps its memory from one record to the next.
struct LayoutWalk: ~Copyable {
    private(set) var breaks = ClassMap()
    private(set) var slots = Buffer<Slot>()
    /// The blocks of all slots.
    private(set) var blocks = Buffer<Block>()
    /// Maps: for each class of breaks a block, or -1. The first map has no blocks.
    private var maps = Buffer<Int32>()
    /// The start of the map of each slot, variant and state: mostly they have the same one.
    private var mapPlaces = Buffer<Int>()
    private(set) var faces = FaceReader()
    private(set) var reaches = ReachWalk()
    private(set) var arrangements = ArrangementWalk()
    private(set) var places = PlaceReader()
    /// Scales by class of breaks: a bit for each scale that a target of the class has.
    private var scales = Buffer<UInt64>()
    private var allScales: UInt64 = 0
    private var columns = 0

    /// The lines of a node, or its bars.
    struct Slot {
        /// Twice a node, and 1 for its bars.
        var number: Int
        var blocks: Range<Int>

        var isBars: Bool { number & 1 == 1 }
    }

    struct Block {
        var face: Int32 = -1
        var lineCount: Int32 = 0
        /// The first target that has it: its lines are told at this one's scale.
        var first = Int32.max
        /// A bit for each scale at which it is needed.
        var scales: UInt64 = 0

        @inline(__always)
        mutating func use(at target: Int32, _ scales: UInt64) {
            self.scales |= scales
            first = min(first, target)
        }
    }

    /// Reads the maps, which say where blocks stand.
    mutating func readMaps(_ record: LayoutRecord, _ bits: inout GolombReader) {
        columns = record.variantCount * record.stateCount
        breaks.read(&bits, record.head.screens)
        breaks.spread(record.head.screens)
        findScales(record.head.screens)
        slots.removeAll()
        blocks.removeAll()
        mapPlaces.removeAll()
        maps.refill(-1, count: breaks.count)
        faces.turn(toStem: record.head.stem)
        var reader = bits
        let most = 2 &* record.head.nodeCount
        var (last, left) = (-1, reader.number(1, upTo: Int32(truncatingIfNeeded: most), of: "filled"))
        let values = Int(left) * columns * breaks.count
        if values > RecordLimits.blocks {
            reader.fail(.tooLong(values, limit: RecordLimits.blocks, of: "blocks"))
            left = 0
        }
        while left > 0 {
            last &+= 1 &+ Int(reader.number(1))
            guard last < most, reader.isWhole else {
                reader.fail(.outOfRange(Int64(last), of: "filled"))
                break
            }
            readSlot(last, &reader)
            left &-= 1
        }
        bits = reader
    }

    @inline(__always)
    private mutating func readSlot(_ number: Int, _ bits: inout GolombReader) {
        let (first, classes) = (blocks.count, breaks.count)
        var (map, face, lineCount) = (0, -1 as Int32, 0 as Int32)
        for _ in 0..<columns {
            if bits.flag() {
                mapPlaces.append(map)
                continue
            }
            var value = maps[map]
            map = maps.count
            mapPlaces.append(map)
            let others = bits.others(classes)
            // Mostly the block is another than before, but the same in all classes.
            if others == 1 {
                value = readValue(first, isLines: number & 1 == 0, &face, &lineCount, &bits)
                maps.append(repeating: value, count: classes)
                if value >= 0 { blocks[Int(value)].use(at: 0, allScales) }
                continue
            }
            for own in 0..<classes {
                if others &>> UInt64(truncatingIfNeeded: own) & 1 == 1 {
                    value = readValue(first, isLines: number & 1 == 0, &face, &lineCount, &bits)
                }
                maps.append(value)
                if value >= 0 { blocks[Int(value)].use(at: breaks.firsts[own], scales[own]) }
            }
        }
        slots.append(Slot(number: number, blocks: first..<blocks.count))
    }

    /// Reads the block of a class, if it is not the same again; -1 for none. A new one is told right here.
    @inline(__always)
    private mutating func readValue(
        _ first: Int, isLines: Bool, _ face: inout Int32, _ lineCount: inout Int32, _ bits: inout GolombReader
    ) -> Int32 {
        let (next, first) = (Int32(truncatingIfNeeded: blocks.count), Int32(truncatingIfNeeded: first))
        let less = bits.number(0, upTo: next &+ 1 &- first, of: "block")
        guard less == 0 else { return next &- less < first ? -1 : next &- less }
        if isLines {
            face = faces.read(face, &bits)
            lineCount &+= bits.signed(1)
            if lineCount < 0 {
                bits.fail(.outOfRange(Int64(lineCount), of: "lines"))
                lineCount = 0
            }
        }
        blocks.append(Block(face: face, lineCount: lineCount))
        return next
    }

    private mutating func findScales(_ screens: Screens) {
        scales.refill(0, count: breaks.count)
        for target in 0..<breaks.classes.count { scales[Int(breaks.classes[target])] |= screens.scaleBits[target] }
        allScales = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- screens.scales.count)
    }

    /// Reads the reaches of the first targets.
    mutating func readReaches(_ count: Int, _ screens: Screens, _ bits: inout GolombReader) {
        reaches.read(count, &bits, breaks, screens)
    }

    /// The block that a target has; -1 for none.
    @inline(__always)
    func block(_ slot: Int, _ column: Int, of target: Int) -> Int {
        Int(maps[mapPlaces[slot &* columns &+ column] &+ Int(breaks.classes[target])])
    }

    /// Whether two blocks of lines are told in the same face at the same scale.
    func areAlike(_ one: Int, _ other: Int, _ screens: Screens) -> Bool {
        blocks[one].face == blocks[other].face
            && screens.scaleNumbers[Int(blocks[one].first)] == screens.scaleNumbers[Int(blocks[other].first)]
    }

    /// Reads the classes of targets that have their nodes at the same places, and the places of the first class.
    mutating func readArrangements(_ record: LayoutRecord, _ bits: inout GolombReader) {
        places.turn(to: record)
        if let fault = places.fault { bits.fail(fault) }
        arrangements.begin(record, placeCount: places.count, &bits)
    }

    /// Finds the class of each target.
    mutating func spreadArrangements(_ screens: Screens) { arrangements.spread(screens) }

    /// Reads the places of nodes on the targets of a class; those of the first class are there.
    /// - Parameter end: the number of variants and states that are asked for.
    mutating func readArrangement(_ number: Int, upTo end: Int, _ bits: inout GolombReader) {
        arrangements.read(number, upTo: end, &bits)
    }

    /// Passes over the places of nodes that were not read.
    func endArrangements(_ bits: inout GolombReader) { bits.turn(to: arrangements.end) }
}
