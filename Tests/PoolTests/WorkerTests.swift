import Pool
import Testing
import Wire

private func lease(_ number: UInt64) -> Lease {
    Lease(id: LeaseID(term: 7, number: number), jobs: [])
}

private func beat(_ capacity: UInt8, _ leases: UInt64...) -> Worker.Effect {
    .say(.beat(Beat(capacity: capacity, held: leases.map { LeaseID(term: 7, number: $0) })))
}

@Test func `a worker lays out one lease after the other, and says what it holds`() {
    var worker = Worker()
    #expect(worker.handle(.received(.assign(lease(1)))) == [beat(2, 1), .layOut(lease(1))])
    #expect(worker.handle(.received(.assign(lease(2)))) == [beat(2, 1, 2)])
    #expect(worker.handle(.laidOut(lease(1).id, [])) == [.say(.finished(lease(1).id, [])), .layOut(lease(2))])
    #expect(worker.handle(.laidOut(lease(2).id, [])) == [.say(.finished(lease(2).id, []))])
}

@Test func `a lease that is heard twice is laid out once`() {
    var worker = Worker()
    _ = worker.handle(.received(.assign(lease(1))))
    #expect(worker.handle(.received(.assign(lease(1)))).isEmpty)
}

@Test func `a worker beats at once, and then twice a second`() {
    var worker = Worker()
    #expect(worker.handle(.tick(.start)) == [beat(2)])
    #expect(worker.handle(.tick(moment(0.4))).isEmpty)
    #expect(worker.handle(.tick(moment(0.5))) == [beat(2)])
}

@Test func `a worker that is told to stop takes no more, and leaves when it is done`() {
    var worker = Worker()
    #expect(worker.handle(.stop) == [beat(0), .leave])
    worker = Worker()
    _ = worker.handle(.received(.assign(lease(1))))
    #expect(worker.handle(.stop) == [beat(0, 1)])
    #expect(worker.handle(.laidOut(lease(1).id, [])) == [.say(.finished(lease(1).id, [])), .leave])
}
