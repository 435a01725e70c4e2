import Synchronization
import Testing

@testable import Transport

/// Memory that a test makes more or less.
private final class Figure: Sendable {
    let bytes = Atomic<Int>(0)
}

@Test func `the busiest peer is cut off above the ceiling, and the process ends where that does not help for a second`()
    throws
{
    let figure = Figure()
    var memory = MemoryGuard(ceiling: 1000) { figure.bytes.load(ordering: .relaxed) }
    let start = ContinuousClock.now
    var cut: [Int] = []
    func look(after milliseconds: Int) throws(TransportError) {
        cut = []
        try memory.look(at: start + .milliseconds(10 + milliseconds)) { cut.append($0) }
    }
    figure.bytes.store(1000, ordering: .relaxed)
    // Below the ceiling nobody is cut off: bytes are counted from here on.
    try look(after: 0)
    #expect(cut == [.max])
    figure.bytes.store(1001, ordering: .relaxed)
    try look(after: 50)
    #expect(cut.isEmpty)
    try look(after: 100)
    #expect(cut == [1 << 20])
    // It helped, and the second begins anew.
    figure.bytes.store(900, ordering: .relaxed)
    try look(after: 900)
    figure.bytes.store(2000, ordering: .relaxed)
    try look(after: 1000)
    try look(after: 1900)
    #expect(cut == [1 << 20])
    #expect(throws: TransportError.outOfMemory(bytes: 2000, ceiling: 1000)) { try look(after: 2000) }
}
