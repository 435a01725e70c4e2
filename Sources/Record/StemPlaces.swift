import Bytes

/// The places of a stem, found by their numbers.
struct StemPlaces: Sendable {
    /// Number of the stem, from 1; 0 for none.
    let number: Int32
    private(set) var count = 0
    /// Places by their hash, each with its number from 1; 0 where there is none. At most half of it is full.
    private var slots = [(numbers: PlaceNumbers, number: Int32)](repeating: (.absent, 0), count: 1)

    /// Places of no stem, then of each.
    static let all = [none] + Stem.all.indices.map { StemPlaces(Stem.all[$0], number: Int32($0) + 1) }
    static let none = StemPlaces()

    private init() { number = 0 }

    private init(_ stem: Stem, number: Int32) {
        self.number = number
        let places = stem.numbers
        count = places.count
        slots = Array(repeating: (.absent, 0), count: (2 * count).nextPowerOf2)
        for (i, own) in places.enumerated() {
            let slot = slot(of: own)
            if slots[slot].number == 0 { slots[slot] = (own, Int32(i) + 1) }
        }
    }

    /// Number of a place, from 1; 0 if the stem has no such place.
    func number(of place: PlaceNumbers) -> Int32 { slots[slot(of: place)].number }

    /// Slot of a place, or the free one where it would be.
    private func slot(of place: PlaceNumbers) -> Int {
        var slot = Int(truncatingIfNeeded: place.numbers.hash) & (slots.count - 1)
        while slots[slot].number != 0 && slots[slot].numbers != place { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}

extension Stem {
    /// The numbers of each of its places.
    fileprivate var numbers: [PlaceNumbers] {
        unsafe places.withUnsafeBufferPointer { bytes in
            var (reader, all) = unsafe (NumberReader(bytes), [PlaceNumbers]())
            while reader.left > 0 && reader.fault == nil { all.append(reader.placeNumbers()) }
            return all
        }
    }
}

extension NumberReader {
    /// Reads a place of a node as it stands in a row.
    fileprivate mutating func placeNumbers() -> PlaceNumbers {
        var own = PlaceNumbers.absent
        own.numbers[PlaceNumbers.parts] = number()
        let told = PlaceNumbers.told(by: own.parts)
        for i in 1..<8 where told >> UInt8(i) & 1 != 0 { own.numbers[i] = number() }
        return own
    }
}

extension Int {
    fileprivate var nextPowerOf2: Int { 1 << (Int.bitWidth - Swift.max(1, self - 1).leadingZeroBitCount) }
}
