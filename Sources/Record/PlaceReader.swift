import Bytes

/// The places that nodes of a record may have: those of its stem, which stay from one record to the next, then its own.
struct PlaceReader: ~Copyable {
    /// The bytes of places as they stand in a row, one behind another; the end of each, and its parts.
    private var bytes = Buffer<UInt8>()
    private var ends = Buffer<Int32>()
    private var parts = Buffer<UInt32>()
    private var stem = -1
    private var stemCount = 0
    private(set) var width = 0
    private(set) var fault: ByteError?

    var count: Int { ends.count }

    mutating func turn(to record: LayoutRecord) {
        if record.head.stem != stem { turn(toStem: record.head.stem) }
        if count > stemCount {
            ends.shrink(to: stemCount)
            parts.shrink(to: stemCount)
            bytes.shrink(to: stemCount == 0 ? 0 : Int(ends[stemCount - 1]))
        }
        fault = nil
        if record.parts.placeCount > 0 { readOwn(record) }
        width = RecordForm.width(ofPlaces: count)
    }

    private mutating func turn(toStem stem: Int) {
        bytes.removeAll()
        ends.removeAll()
        parts.removeAll()
        self.stem = stem
        if stem > 0 {
            let known = Stem.all[stem - 1].places
            unsafe known.withUnsafeBufferPointer { known in
                var reader = unsafe NumberReader(known)
                while reader.left > 0 && reader.fault == nil { append(&reader) }
            }
        }
        stemCount = count
    }

    @inline(never)
    private mutating func readOwn(_ record: LayoutRecord) {
        unsafe record.bytes.withUnsafeBufferPointer { bytes in
            let range = record.parts.places
            var reader = unsafe NumberReader(bytes, from: range.lowerBound, to: range.upperBound)
            for _ in 0..<record.parts.placeCount where reader.fault == nil { append(&reader) }
            fault = reader.fault
        }
    }

    private mutating func append(_ reader: inout NumberReader) {
        let start = reader.place
        let own = reader.pass()
        guard reader.fault == nil else { return }
        unsafe bytes.append(reader.stretch(from: start))
        ends.append(Int32(truncatingIfNeeded: bytes.count))
        parts.append(own.rawValue)
    }

    /// Appends a place as it stands in a row; returns its parts.
    @inline(__always)
    func append(_ number: Int32, to row: inout Buffer<UInt8>) -> UInt32 {
        guard number > 0 else {
            row.append(0)
            return 0
        }
        let place = Int(number) &- 1
        let start = place == 0 ? 0 : Int(ends[place &- 1])
        for i in start..<Int(ends[place]) { row.append(bytes[i]) }
        return parts[place]
    }
}

extension NumberReader {
    /// Passes over a place of a node as it stands in a row; returns its parts.
    mutating func pass() -> RecordForm.Place {
        let own = RecordForm.Place(rawValue: number())
        if own.rawValue == 0 || own.rawValue > RecordForm.Place.all.rawValue {
            fail(.unknownCase(UInt8(clamping: own.rawValue), of: "place"))
        }
        skip(own.numbers)
        return own
    }
}
