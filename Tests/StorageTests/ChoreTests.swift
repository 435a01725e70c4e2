import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

@Test func `while another thread merges, turns go on, and messages are what they are`() throws {
    let diary = try Diary()
    diary.settings.mergeLength = 10
    let lane = HeldLane(diary.temporary.path, diary.settings)
    var journal = try diary.open()
    journal.givesAway = { lane.take($0) }
    for turn in 0..<9 {
        try Diary.post(3, to: &journal)
        #expect(try Diary.texts(&journal).enumerated().allSatisfy { $1.contains("entry \($0) ") }, "turn \(turn)")
    }
    let wasAway = journal.isChoreAway
    try lane.perform(&journal)
    let isAway = journal.isChoreAway
    #expect(wasAway && !isAway)
    try Diary.post(3, to: &journal)
    #expect(try Diary.texts(&journal).enumerated().allSatisfy { $1.contains("entry \($0) ") })
    // Another merge is away, and the process ends.
    let isAwayAgain = journal.isChoreAway
    #expect(isAwayAgain)
    #expect(try diary.reopened().count == 30)
}

@Test func `what is not merged has a limit, and a merge that failed is done once more`() throws {
    let isFull = Flag()
    let diary = try Diary()
    diary.settings.mergeLength = 10
    let lane = HeldLane(diary.temporary.path, diary.settings)
    diary.settings.disk = LogDisk(fault: { step, _ in
        if case .sync = step { isFull.value ? .full : nil } else { nil }
    })
    diary.settings.durability = .process
    var journal = try diary.open()
    journal.givesAway = { lane.take($0) }
    isFull.value = true
    #expect(throws: StorageError.blocked(path: diary.journal, by: nil)) {
        for _ in 0..<99 { try Diary.post(3, to: &journal) }
    }
    let reached = journal.nextPosition.number
    #expect(reached < 60)
    try lane.perform(&journal)
    #expect(throws: StorageError.self) { try Diary.post(3, to: &journal) }
    isFull.value = false
    _ = try journal.maintain()
    try lane.perform(&journal)
    try Diary.post(3, to: &journal)
    #expect(journal.nextPosition.number == reached + 3)
    #expect(try Diary.texts(&journal).enumerated().allSatisfy { $1.contains("entry \($0) ") })
}

@Test func `care waits for what is away, and a deletion leaves the write-ahead log with a chore`() throws {
    let diary = try Diary()
    diary.settings.mergeLength = 10
    let lane = HeldLane(diary.temporary.path, diary.settings)
    var journal = try diary.open()
    journal.givesAway = { lane.take($0) }
    for _ in 0..<5 { try Diary.post(3, to: &journal, "secret") }
    var keeper = Bookkeeper(shards: 2)
    keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
    let line = #"{"events":[{"conversation":"c1","message":"m1","revision":2,"deleted":true}]}"#
    _ = try keeper.take(try IngestRequest(parsing: Array(line.utf8)), from: Peer(route: [1]), in: &journal)
    try journal.commit(keeper.close())
    repeat { try lane.perform(&journal) } while try journal.maintain(idle: true) || journal.isChoreAway
    for (name, bytes) in try Diary.files(in: diary.temporary.path) {
        #expect(bytes.firstRange(of: Data("secret 1 ".utf8)) == nil, "\(name)")
    }
    #expect(try Diary.texts(&journal)[2].contains("secret 2 "))
}

@Test func `while another thread packs a segment turns go on, and what is deleted then does not come back`() throws {
    let (diary, isBeside, wasWaited) = (try Diary(), Flag(), Flag())
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    diary.settings.disk = LogDisk(fault: { step, path in
        if case .rename = step { return nil }
        if path.hasSuffix(".new"), !isBeside.value { wasWaited.value = true }
        return nil
    })
    let lane = HeldLane(diary.temporary.path, diary.settings)
    var journal = try diary.open()
    journal.givesAway = { lane.take($0) }
    func perform() throws {
        isBeside.value = true
        try lane.perform(&journal)
        isBeside.value = false
    }
    for _ in 0..<20 {
        try Diary.post(3, to: &journal)
        try perform()
    }
    for number in 0..<60 where number % 5 != 0 { try Diary.delete(number, in: &journal) }
    for _ in 0..<10 { try Diary.post(3, to: &journal) }
    var packs = 0
    for _ in 0..<200 {
        let isMore = try journal.maintain(idle: true)
        if lane.packs {
            packs += 1
            // During the first packing, some of the messages that the segment keeps are deleted; later packings go
            // without them.
            if packs == 1 {
                for number in stride(from: 0, to: 60, by: 10) { try Diary.delete(number, in: &journal) }
            }
            try Diary.post(1, to: &journal)
        } else if !isMore, !journal.isChoreAway {
            break
        }
        try perform()
    }
    #expect(packs > 0 && !wasWaited.value)
    let texts = try Diary.texts(&journal)
    for number in stride(from: 5, to: 60, by: 10) { #expect(texts[number].contains("entry \(number) ")) }
    let files = try Diary.files(in: diary.temporary.path)
    for number in 0..<60 where number % 10 != 5 {
        #expect(!files.values.contains { $0.range(of: Data("entry \(number) ".utf8)) != nil }, "\(number)")
    }
    try journal.close()
    #expect(try StorageCheck.problems(inJournalOf: diary.folder) == [])
    #expect(try diary.reopened() == texts)
}

@Test func `a merge is through although a segment cannot be packed, which is packed when there is room`() throws {
    let (diary, isFull) = (try Diary(), Flag())
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    diary.settings.disk = LogDisk(fault: { step, path in
        guard case .make = step, path.hasSuffix(".new") else { return nil }
        return isFull.value ? .full : nil
    })
    var journal = try diary.open()
    /// - Returns: whether a segment could not be packed.
    func maintain() throws -> Bool {
        do throws(StorageError) {
            for _ in 0..<20 { _ = try journal.maintain(idle: true) }
            return false
        } catch .full {
            return true
        }
    }
    for _ in 0..<20 { try Diary.post(3, to: &journal) }
    for number in 0..<60 where number % 5 != 0 { try Diary.delete(number, in: &journal) }
    isFull.value = true
    var failures = 0
    // Turns are refused where a merge does not come through while four times as much as one takes comes.
    for _ in 0..<50 {
        try Diary.post(3, to: &journal)
        if try maintain() { failures += 1 }
    }
    #expect(failures > 10)
    isFull.value = false
    let isPacked = try !maintain()
    #expect(isPacked)
    let texts = try Diary.texts(&journal)
    for number in stride(from: 0, to: 60, by: 5) { #expect(texts[number].contains("entry \(number) ")) }
    try journal.close()
    #expect(try StorageCheck.problems(inJournalOf: diary.folder) == [])
    #expect(try diary.reopened() == texts)
}

extension Diary {
    /// The texts that a new process finds in a copy of the folder as it is on the disk now.
    fileprivate func reopened() throws -> [String] {
        let other = try Diary()
        try Diary.put(try Diary.files(in: temporary.path), into: other.temporary.path)
        return try other.texts()
    }
}
