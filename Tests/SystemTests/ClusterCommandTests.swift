import JSON
import Testing

@testable import forme

private func standing(ofA: String) throws -> ClusterStandingText {
    let json = """
        {"cluster": "chat", "host": "c", "standing": "following", "owner": "a", "record": 7, "link": "2a", "entries": 9, "others": [
          {"host": "a", \(ofA), "lost": false},
          {"host": "b", "record": 7, "link": "2a", "entries": 9, "heard_before": 90, "lost": false}]}
        """
    return try ClusterStandingText(JSONValue.parse(Array(json.utf8)))
}

@Test func `a host is said to have the same log only by what it has said since the question`() throws {
    let killed = try standing(ofA: #""record": 7, "link": "2a", "entries": 9, "heard_before": 2100"#)
    #expect(killed.difference(heardWithin: .zero) == "a is not heard")
    #expect(killed.difference(heardWithin: .milliseconds(2000)) == "a is not heard")
    let back = try standing(ofA: #""record": 0, "link": "0", "entries": 0, "heard_before": 60"#)
    #expect(back.difference(heardWithin: .milliseconds(200)) == "a is at record 0, and c at 7")
    let level = try standing(ofA: #""record": 7, "link": "2a", "entries": 9, "heard_before": 60"#)
    #expect(level.difference(heardWithin: .milliseconds(200)) == nil)
}

@Test func `a host that was silent for three seconds is not heard, however long the question is ago`() throws {
    let away = try standing(ofA: #""record": 7, "link": "2a", "entries": 9, "heard_before": 3100"#)
    #expect(away.difference(heardWithin: .seconds(40)) == "a is not heard")
}
