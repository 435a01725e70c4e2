import Glibc
import Pool
import Storage
import Testing

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }
private let full = StorageError.full(path: "journal.db")

@Test func `care of the journal that fails is tried again after pauses that grow to ten seconds, until it goes well`() {
    var times = CareTimes()
    var now: Int64 = 0
    for pause: Int64 in [1000, 2000, 4000, 8000, 10_000, 10_000] {
        let isDue = times.isDue(at: moment(now))
        // It begins well each time, and fails on the thread beside, where a merge is still to be done.
        times.noteEnd(isMore: true, isAway: true, at: moment(now))
        let wasTrouble = times.trouble.reason != nil
        times.noteFailure(full, at: moment(now + 5))
        #expect(isDue && wasTrouble == (now > 0) && times.trouble.reason == full)
        #expect(!times.isDue(at: moment(now + 5 + pause - 1)), "\(pause)")
        now += 5 + pause
    }
    times.noteEnd(isMore: false, isAway: false, at: moment(now))
    #expect(times.trouble.reason == nil)
    #expect(!times.isDue(at: moment(now + 999)) && times.isDue(at: moment(now + 1000)))
    times.noteFailure(full, at: moment(now + 1000))
    #expect(!times.isDue(at: moment(now + 1999)) && times.isDue(at: moment(now + 2000)))
}

@Test func `trouble is told when it begins, every ten minutes while it lasts, and when it is over`() {
    var trouble = LastingTrouble(begins: "it cannot be written", ends: "it can be written again")
    var told: [Int64] = []
    for second: Int64 in 0..<1800 {
        let isTold = trouble.note(second % 2 == 0 ? full : .absent(path: "log"), at: moment(second * 1000))
        if isTold { told.append(second) }
    }
    #expect(told == [0, 600, 1200])
    let (isOver, isOverAgain) = (trouble.end(), trouble.end())
    #expect(isOver && !isOverAgain && trouble.reason == nil)
    let isTold = trouble.note(full, at: moment(1_801_000))
    #expect(isTold)
}

@Test(
    arguments: [
        (StorageError.full(path: "/d/journal.db"), "there is no room left on the disk of /d/journal.db"),
        (.notAccessible(path: "/d/log", code: EACCES), "/d/log cannot be written: Permission denied"),
        (.notReadable(path: "/d/log", code: EIO), "/d/log cannot be read: Input/output error"),
        (.notSynced(path: "/d/a.db", code: EIO), "/d/a.db could not be brought to the disk: Input/output error"),
        (.sqlite(path: "/d/a.db", code: 10, message: "disk I/O error"), "/d/a.db: disk I/O error (SQLite 10)"),
        (.corrupt(path: "/d/a.db", "page 3"), "/d/a.db is damaged (page 3)"),
    ] as [(StorageError, String)])
func `trouble with files is told in words, in the log, in the status and in answers to orders`(
    error: StorageError, sentence: String
) {
    #expect(LaneShards.sentence(error) == sentence)
}

@Test func `where other attempts go well, trouble is over when none has failed for a minute`() {
    var trouble = LastingTrouble(begins: "it cannot be read", ends: "it can be read again")
    var (told, over): ([Int64], [Int64]) = ([], [])
    for second: Int64 in 0..<1000 {
        // One message cannot be read, and is asked for again and again.
        if second < 300, second % 10 == 0, trouble.note(full, at: moment(second * 1000)) { told.append(second) }
        if trouble.endIfQuiet(at: moment(second * 1000)) { over.append(second) }
    }
    #expect(told == [0] && over == [350])
}
