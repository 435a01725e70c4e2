import Glibc
import Pool
import TestSupport
import Testing
import Transport

@testable import Daemons

@Test func `a supervisor of whom nothing is wanted rests, also after days`() {
    for hours in [0, 1, 24] {
        let now = Moment.start + .seconds(hours * 3600)
        #expect(Supervisor.rest(until: nil, at: now) == .milliseconds(100))
        #expect(Supervisor.rest(until: now + .milliseconds(30), at: now) == .milliseconds(30))
        #expect(Supervisor.rest(until: now - .seconds(1), at: now) == .zero)
    }
}

@Test(.waits) func `once all have been ready, a process that cannot be started does not end the others`() throws {
    // The supervisor waits for signals, and blocks them in its thread.
    var held = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &held)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &held, nil) }
    let stop = try Mailbox<Bool>()
    // The kernel starts no program with a word of so many bytes.
    let word = String(repeating: "x", count: 1 << 18)
    var looks = 0
    var supervisor = try Supervisor([]) {
        looks += 1
        if looks == 4 { stop.post(true) }
        // With none to wait for, all are ready.
        return looks == 1 ? [] : [["worker", word]]
    }
    try supervisor.run(until: [stop.source])
    #expect(looks == 4)
}
