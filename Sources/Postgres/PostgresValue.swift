import Replication

/// A parameter of a statement, in PostgreSQL's binary form.
enum PostgresValue {
    case text(String)
    case integer(Int32)
    case wide(Int64)
    case integers([Int32])
    case wides([Int64])
    case blobs([[UInt8]])

    /// The number of its type in the catalogue (OID), which never changes.
    var type: UInt32 {
        switch self {
        case .text: 25
        case .integer: 23
        case .wide: 20
        case .integers: 1007
        case .wides: 1016
        case .blobs: 1001
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .integer(let number): Self.bytes(number)
        case .wide(let number): Self.bytes(number)
        case .integers(let numbers): Self.array(of: 23, numbers.map { Self.bytes($0) })
        case .wides(let numbers): Self.array(of: 20, numbers.map { Self.bytes($0) })
        case .blobs(let blobs): Self.array(of: 17, blobs)
        }
    }

    /// Returns an array in binary form: the number of dimensions, the null flag, and the type; the length and the
    /// lower bound of the dimension; the length and the bytes of each element.
    private static func array(of type: Int32, _ elements: [[UInt8]]) -> [UInt8] {
        var all = [1, 0, type, Int32(elements.count), 1].flatMap { bytes($0) }
        for element in elements { all += bytes(Int32(element.count)) + element }
        return all
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// The bytes of a field of a row, in PostgreSQL's binary form.
extension ArraySlice<UInt8> {
    /// The whole number that they are; nil where they are none.
    var number: Int64? {
        guard [2, 4, 8].contains(count) else { return nil }
        let bits = reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(truncatingIfNeeded: bits << (64 - 8 * count)) >> (64 - 8 * count)
    }

    /// The list of whole numbers that they are; nil where they are none.
    var numbers: [Int64]? {
        guard count >= 12, let dimensions = prefix(4).number else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, count >= 20, let length = dropFirst(12).prefix(4).number else { return nil }
        var (rest, numbers) = (dropFirst(20), [Int64]())
        for _ in 0..<length {
            guard let size = rest.prefix(4).number, size >= 0, rest.count >= 4 + Int(size),
                let number = rest.dropFirst(4).prefix(Int(size)).number
            else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(4 + Int(size))
        }
        return rest.isEmpty ? numbers : nil
    }
}
