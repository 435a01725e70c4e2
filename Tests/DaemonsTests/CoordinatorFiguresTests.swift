import Pool
import Testing
import Wire

@testable import Daemons

@Test func `every answer of a coordinator is counted, with the time that it took, and so are layouts of all workers`() {
    var figures = CoordinatorFigures()
    let answers: [EventAnswer] = [
        .accepted, .accepted, .duplicate, .superseded, .invalid(field: "body", reason: "r"),
        .busy(retryAfter: 1, reason: .disk),
    ]
    figures.note(answers.map { Judgement($0) }, after: .milliseconds(3))
    var layouts = LayoutFigures()
    layouts.add(.init("text", messages: 2, nanoseconds: 5000))
    for _ in 0..<2 { figures.note(layouts) }
    let idle = Dispatcher(term: 1, standing: Standing(latest: [.zero]))
    let found = figures.current(of: idle, in: "/tmp", StageTimes())
    #expect(found.answers.accepted == 2 && found.answers.duplicate == 1 && found.answers.superseded == 1)
    #expect(found.answers.refused == ["body": 1] && found.answers.busy["disk"] == 1)
    #expect(found.acknowledged.count == 6 && found.acknowledged.sum == 18_000)
    #expect(found.layouts.kinds == [.init("text", messages: 4, nanoseconds: 10_000)])
}
