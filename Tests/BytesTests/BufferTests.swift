import Bytes
import Testing

@Test func `a buffer grows, and keeps what is in it`() {
    var buffer = Buffer<Int>(capacity: 0)
    for i in 0..<1000 { buffer.append(i) }
    #expect(buffer.count == 1000)
    #expect((0..<1000).allSatisfy { buffer[$0] == $0 })
    buffer[500] += 7
    #expect(buffer[500] == 507)
    buffer.shrink(to: 501)
    buffer.append(repeating: -1, count: 3)
    #expect(buffer.array(499..<504) == [499, 507, -1, -1, -1])
    buffer.shrink(to: 1000)
    #expect(buffer.count == 504)
}

@Test func `a buffer is filled anew from an array and copied to one`() {
    var buffer = Buffer<String>(capacity: 2)
    buffer.append("gone")
    buffer.replace(with: ["a", "b", "c"])
    var array = ["old"]
    buffer.copy(to: &array)
    #expect(array == ["a", "b", "c"])
    buffer.refill("x", count: 5)
    #expect(buffer.array(0..<5) == ["x", "x", "x", "x", "x"])
    buffer.removeAll()
    #expect(buffer.count == 0)
}

@Test func `what a buffer holds is let go with it`() {
    final class Guest {}
    weak var first: Guest?
    weak var last: Guest?
    do {
        var buffer = Buffer<Guest>(capacity: 1)
        let guests = (0..<20).map { _ in Guest() }
        (first, last) = (guests[0], guests[19])
        for guest in guests { buffer.append(guest) }
    }
    #expect(first == nil && last == nil)
}

@Test func `stretches of other memory are appended whole`() {
    var buffer = Buffer<UInt8>(capacity: 1)
    let bytes: [UInt8] = [1, 2, 3]
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append($0) }
    unsafe [UInt8]().withUnsafeBufferPointer { unsafe buffer.append($0) }
    unsafe buffer.append(UnsafeBufferPointer(start: nil, count: 0))
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append($0) }
    #expect(buffer.array(0..<6) == [1, 2, 3, 1, 2, 3])
}
