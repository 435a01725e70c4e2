import Bytes
import Testing

// Both checksums stand in files, so their values for given bytes never change.

@Test(arguments: 0..<20) func `each bit counts`(count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    for bit in 0..<8 * count {
        var other = bytes
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(Checksum.of(other) != Checksum.of(bytes))
        #expect(BlockChecksum(of: other).value != BlockChecksum(of: bytes).value)
    }
    #expect(Checksum.of(bytes + [0]) != Checksum.of(bytes))
    #expect(BlockChecksum(of: bytes + [0]).value != BlockChecksum(of: bytes).value)
}

@Test func `a sum is the same of an array, a slice and a span`() {
    let bytes = (0..<37).map { UInt8($0 &* 7) }
    #expect(Checksum.of(([1, 2] + bytes)[2...]) == Checksum.of(bytes))
    #expect(Checksum.of(bytes.span) == Checksum.of(bytes))
    var sum = Checksum()
    sum.add([9] + bytes, from: 1)
    #expect(sum.value == Checksum.of(bytes))
    #expect(Checksum.of(bytes[...], seed: 1) != Checksum.of(bytes))
}
