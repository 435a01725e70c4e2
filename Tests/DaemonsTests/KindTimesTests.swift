import Pool
import Testing
import Wire

@testable import Daemons

@Test func `processor time of a batch is divided between kinds as the time that they took`() {
    var kinds = KindTimes()
    kinds.note("text", from: 1000, to: 2000)
    kinds.note("album", from: 2000, to: 8000)
    kinds.note("text", from: 8000, to: 9000)
    var figures = LayoutFigures()
    // The thread had a processor for half of that.
    kinds.add(of: 4000, to: &figures)
    #expect(
        figures.kinds == [
            .init("text", messages: 2, nanoseconds: 1000), .init("album", messages: 1, nanoseconds: 3000),
        ])
    // A batch without layouts adds nothing.
    KindTimes().add(of: 500, to: &figures)
    #expect(figures.kinds.count == 2)
}

@Test func `figures are said once a second, and none where nothing was laid out`() {
    func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }
    func some() -> LayoutFigures {
        var figures = LayoutFigures()
        figures[.rows].count(isHit: true)
        return figures
    }
    var sending = FigureSending()
    #expect(sending.take(at: moment(10)) == nil)
    sending.waiting += some()
    #expect(sending.take(at: moment(20)) == some() && sending.take(at: moment(30)) == nil)
    sending.waiting += some()
    #expect(sending.take(at: moment(1019)) == nil && sending.take(at: moment(1020)) == some())
    sending.waiting += some()
    // A worker that leaves says the rest.
    #expect(sending.takeAll() == some() && sending.takeAll() == nil)
}
