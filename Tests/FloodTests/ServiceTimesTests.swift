import Flood
import JSON
import Testing

private func times(_ text: String) throws -> ServiceTimes { ServiceTimes(try JSONValue.parse(Array(text.utf8))) }

@Test func `what a stretch cost is what was added while it ran, by processes that were there before`() throws {
    let before = try times(
        """
        {"coordinator": {"events": 10, "microseconds": {"receive": 100}},
         "workers": [{"process": 7, "events": 5, "microseconds": {"lay out": 400}}]}
        """)
    let after = try times(
        """
        {"coordinator": {"events": 30, "microseconds": {"receive": 160, "journal": 40}},
         "workers": [{"process": 7, "events": 15, "microseconds": {"lay out": 1100}},
                     {"process": 8, "events": 90, "microseconds": {"lay out": 1}}]}
        """)
    let spent = after.since(before)
    #expect(spent.processes.map(\.name) == ["coordinator", "worker 7"])
    #expect(spent.processes.map(\.events) == [20, 10])
    #expect(spent.processes[0].stages.map(\.microseconds) == [60, 40])
    #expect(spent.processes[1].stages.map { "\($0.name) \($0.microseconds)" } == ["lay out 700"])
}
