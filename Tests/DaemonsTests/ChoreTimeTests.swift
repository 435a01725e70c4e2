import Testing

@testable import Daemons

@Test func `chores take a share of the time of something else, save some of it, and make up for what they owe`() {
    var time = ChoreTime(share: 0.25, most: .milliseconds(10))
    #expect(time.isThere)
    time.take(.milliseconds(5))
    #expect(!time.isThere && time.wait == .milliseconds(20))
    time.earn(beside: .milliseconds(12))
    #expect(!time.isThere && time.wait == .milliseconds(8))
    time.earn(beside: .milliseconds(8))
    #expect(time.isThere && time.wait == .zero)
    // However long nothing was done, no more than the most is saved.
    time.earn(beside: .seconds(100))
    time.take(.milliseconds(11))
    #expect(time.wait == .milliseconds(4))
}

@Test func `a step that takes very long is forgiven where that is said, and not begun where there is no time`() {
    var time = ChoreTime(share: 0.25, most: .zero, mostOwed: .milliseconds(25))
    time.take(.seconds(5))
    #expect(time.wait == .milliseconds(100))
    var steps = 0
    #expect(!time.spend { steps += 1 } && steps == 0)
    time.earn(beside: .milliseconds(100))
    #expect(time.spend { steps += 1 } && steps == 1)
}

@Test func `sealing has more of the time the more conversations wait for it, up to a limit`() {
    #expect([0, 31, 32, 100, 1_000_000].map(ShardChores.urgency) == [1, 1, 2, 4, 5])
}
