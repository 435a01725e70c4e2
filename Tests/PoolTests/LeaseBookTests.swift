import Testing
import Wire

@testable import Pool

private let (ada, bob) = (WorkerSlot(number: 0), WorkerSlot(number: 1))
private let file = FileNumber(0)
private let hello = WorkerHello(edition: PoolBench.edition, editionName: "plain", process: 7, machine: "here")

private func book(_ count: Int = 2, progress: [ShardProgress] = []) -> LeaseBook {
    LeaseBook(FileMap(shards: 4, atMost: count), progress: progress)
}

@Test func `batches of a lease are counted, and those of the next one from zero`() {
    var book = book()
    book.lease(file, to: ada, hello, under: LeaseEpoch(1))
    #expect((0..<2).map { _ in book.lend(file).place } == [0, 1])
    #expect(book.end(file) == ada)
    book.lease(file, to: bob, hello, under: LeaseEpoch(2))
    let first = book.lend(file)
    #expect(first.place == 0 && first.epoch == LeaseEpoch(2))
}

@Test func `a lease under which nothing is in flight ends without anything to take back`() {
    var book = book()
    #expect(book.end(file) == nil)
    book.lease(file, to: ada, hello, under: LeaseEpoch(1))
    _ = book.lend(file)
    book.land(file, in: ShardOrigin(9), unavailable: 0)
    #expect(book.end(file) == nil && book.files[file].lease == nil)
}

@Test func `the first commit says which file it is, and another one is none of it`() {
    var book = book()
    #expect(book.isFile(ShardOrigin(9), file))
    book.lease(file, to: ada, hello, under: LeaseEpoch(1))
    _ = book.lend(file)
    book.land(file, in: ShardOrigin(9), unavailable: 3)
    #expect(book.files[file].isDirty && book.files[file].unavailable == 3)
    #expect(book.isFile(ShardOrigin(9), file) && !book.isFile(ShardOrigin(8), file))
    book.replace(file, with: ShardOrigin(8))
    #expect(book.files[file].unavailable == 0 && book.isFile(ShardOrigin(8), file))
}

@Test func `what the journal knows of the shards of a file is what is known of the file`() {
    let known = [(0, 5), (1, 0), (2, 2)].map {
        ShardProgress(
            edition: PoolBench.edition, shard: Shard(UInt16($0.0)), origin: ShardOrigin($0.0 < 2 ? 7 : 8),
            unavailable: $0.1)
    }
    let book = book(progress: known)
    #expect(book.files.values.map(\.origin) == [ShardOrigin(7), ShardOrigin(8)])
    #expect(book.files.values.map(\.unavailable) == [5, 2])
    // Nobody knows what became of them meanwhile.
    #expect(book.files.values.allSatisfy { $0.isInDoubt })
}

@Test func `a file that cannot be written rests longer each time, and is reported now and then`() {
    var book = book()
    var context = DispatchContext(term: 1, limits: DispatchLimits(), seed: 1)
    var reports = 0
    for _ in 1...8 {
        book.rest(file, of: PoolBench.edition, Objection("no room"), &context)
        #expect(book.files[file].rests(context.now) && !book.files[file].rests(context.now + .seconds(20)))
        reports += context.takeEffects().count
    }
    // The first, the second, the fourth, the eighth.
    #expect(reports == 4)
}
