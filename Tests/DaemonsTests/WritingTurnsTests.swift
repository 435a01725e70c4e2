import Pool
import Testing

@testable import Daemons

@Test
func `requests within eight milliseconds of a writing turn are taken together, and one to an idle coordinator at once`()
{
    func moment(_ microseconds: Int64) -> Moment { Moment(sinceStart: .microseconds(microseconds)) }
    var turns = WritingTurns()
    #expect(turns.isDue(at: .start) && turns.rest(at: .start) == .zero)
    turns.wrote(from: moment(1000))
    #expect(!turns.isDue(at: moment(1001)) && turns.rest(at: moment(4000)) == .milliseconds(5))
    #expect(!turns.isDue(at: moment(8999)) && turns.rest(at: moment(8999)) == .microseconds(1))
    #expect(turns.isDue(at: moment(9000)) && turns.rest(at: moment(9000)) == .zero)
    // After a pause nothing is waited for, however the turn before went.
    #expect(turns.isDue(at: moment(60_000_000)) && turns.rest(at: moment(60_000_000)) == .zero)
}
