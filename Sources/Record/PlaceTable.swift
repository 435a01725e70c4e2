import Bytes
import MessageLayout
import Typography

/// All places of nodes that were told, each once, from message to message. The first is that of an absent node.
struct PlaceTable: ~Copyable {
    private var told = Buffer<PlaceNumbers>()
    /// Places in `told` by their hash; -1 for none. A power of two, at most half full.
    private var hashed = Buffer<Int32>()
    /// Places that were asked for in device pixels. One that is forgotten is found anew.
    private var found = Buffer<Found>()
    private var foundLayouts = Buffer<FoundLayout>()

    /// Numbers in a record: for each place its number in the message that asked for it last.
    private var numbered = Buffer<Numbered>()
    private var message: UInt64 = 0
    /// Places that the stem at work has.
    private var stem = StemPlaces.none
    /// The places that this message tells, as they stand in a row.
    private var chunks = Buffer<UInt8>()
    private var chunkCount = 0

    private static let most = 4096

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct Numbered {
        var message: UInt64 = 0
        var number: Int32 = 0
        /// The stem that was asked for it last, and its number there; 0 if the stem has it not.
        var stem: Int32 = -1
        var numberInStem: Int32 = 0
    }

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct Found {
        var pixels = SIMD8<UInt32>()
        var sides = PlaceNumbers.Sides([])
        var scale: Int32 = -1
        var place: Int32 = 0

        /// The number of entries, a power of two.
        static let places = 1024
    }

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct FoundLayout {
        /// Stamp, width, height, scale.
        var numbers = SIMD4<Int32>(repeating: -1)
        var place: Int32 = 0

        /// The number of entries, a power of two.
        static let places = 256
    }

    init() { removeAll() }

    var isFull: Bool { told.count > Self.most }

    mutating func removeAll() {
        told.removeAll()
        told.append(.absent)
        numbered.refill(Numbered(), count: 1)
        hashed.refill(-1, count: 4 * Self.most)
        found.refill(Found(), count: Found.places)
        foundLayouts.refill(FoundLayout(), count: FoundLayout.places)
    }

    subscript(place: Int32) -> PlaceNumbers { told[Int(place)] }

    mutating func place(ofLayout stamp: Int32, _ width: Int32, _ height: Int32, _ scale: Scale) -> Int32 {
        let own = SIMD4(stamp, width, height, scale.thousandths)
        let known = Int(truncatingIfNeeded: stamp &+ 3 &* width &+ 5 &* height &+ scale.thousandths &>> 3)
        let place = known & (FoundLayout.places &- 1)
        if foundLayouts[place].numbers == own { return foundLayouts[place].place }
        let found = self.place(of: PlaceNumbers(stamp: stamp, width: width, height: height, at: scale))
        foundLayouts[place] = FoundLayout(numbers: own, place: found)
        return found
    }

    /// The place of a node in one lane.
    @inline(__always)
    mutating func place(
        of lanes: inout PlaceLanes, _ lane: Int, _ scale: Scale, _ sides: PlaceNumbers.Sides
    ) -> Int32 {
        let pixels = lanes.pixels(lane)
        let known =
            Int(truncatingIfNeeded: pixels.hash &+ UInt64(UInt32(bitPattern: scale.thousandths))) & (Found.places &- 1)
        let before = found[known]
        if before.scale == scale.thousandths && before.sides == sides && (before.pixels ^ pixels).isZero {
            return before.place
        }
        return find(pixels, scale, sides, at: known)
    }

    @inline(never)
    private mutating func find(
        _ pixels: SIMD8<UInt32>, _ scale: Scale, _ sides: PlaceNumbers.Sides, at known: Int
    ) -> Int32 {
        let place = place(of: PlaceNumbers(pixels: pixels, at: scale, sides))
        found[known] = Found(pixels: pixels, sides: sides, scale: scale.thousandths, place: place)
        return place
    }

    private mutating func place(of numbers: PlaceNumbers) -> Int32 {
        if numbers == .absent { return 0 }
        // It is at most half full: a message that asks for more has it grow.
        if 2 * told.count >= hashed.count { spread() }
        let mask = hashed.count &- 1
        var place = Int(truncatingIfNeeded: numbers.numbers.hash) & mask
        while hashed[place] >= 0 {
            if told[Int(hashed[place])] == numbers { return hashed[place] }
            place = (place &+ 1) & mask
        }
        hashed[place] = Int32(truncatingIfNeeded: told.count)
        told.append(numbers)
        numbered.append(Numbered())
        return hashed[place]
    }

    private mutating func spread() {
        let mask = 2 * hashed.count - 1
        hashed.refill(-1, count: mask + 1)
        for i in 1..<told.count {
            var place = Int(truncatingIfNeeded: told[i].numbers.hash) & mask
            while hashed[place] >= 0 { place = (place + 1) & mask }
            hashed[place] = Int32(i)
        }
    }
}

// Numbers in a record.
extension PlaceTable {
    /// Turns to another message.
    mutating func begin(_ stem: Int) {
        message += 1
        chunks.removeAll()
        chunkCount = 0
        if stem != self.stem.number { self.stem = StemPlaces.all[stem] }
    }

    /// The number of a place in a record: 0 for absent, then those of the stem, then those that the record tells.
    @inline(__always)
    mutating func number(_ place: Int32) -> Int32 {
        if place == 0 { return 0 }
        let known = numbered[Int(place)]
        return known.message == message ? known.number : newNumber(Int(place))
    }

    @inline(never)
    private mutating func newNumber(_ place: Int) -> Int32 {
        var own = numbered[place]
        if own.stem != stem.number { (own.stem, own.numberInStem) = (stem.number, stem.number(of: told[place])) }
        (own.message, own.number) = (message, own.numberInStem)
        if own.numberInStem == 0 {
            told[place].appendPlace(to: &chunks)
            chunkCount += 1
            own.number = Int32(stem.count + chunkCount)
        }
        numbered[place] = own
        return own.number
    }

    /// Writes the places that the record tells.
    func write(to record: inout Buffer<UInt8>) throws(ByteError) {
        guard chunkCount <= RecordLimits.places else {
            throw .tooLong(chunkCount, limit: RecordLimits.places, of: "places")
        }
        record.number(chunkCount)
        unsafe record.append(chunks.elements)
    }

    /// The number of bits that tell a place.
    var width: Int { RecordForm.width(ofPlaces: stem.count + chunkCount) }
}

extension SIMD8<UInt32> {
    /// A hash of all of them.
    @inline(__always)
    var hash: UInt64 {
        let words = unsafe unsafeBitCast(self, to: SIMD4<UInt64>.self)
        var hash = words[0] &* 0x9e37_79b9_7f4a_7c15
        hash = (hash ^ words[1] ^ hash &>> 32) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ words[2] ^ hash &>> 32) &* 0x9e37_79b9_7f4a_7c15
        hash = (hash ^ words[3] ^ hash &>> 32) &* 0xff51_afd7_ed55_8ccd
        return hash ^ hash &>> 32
    }
}
