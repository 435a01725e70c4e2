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

@Test func `the owner of each partition is told, and a partition without one is no log that all have`() throws {
    func standing(_ second: String) throws -> ClusterStandingText {
        let json = """
            {"cluster": "chat", "host": "c", "standing": "following", "owner": null, "record": 7, "link": "2a", "entries": 9,
             "door": "elsewhere", "others": [{"host": "a", "record": 7, "link": "2a", "entries": 9, "heard_before": 90, "lost": false}],
             "partitions": [{"owner": "a", "standing": "following", "record": 3, "entries": 4},
               {"owner": \(second), "standing": "owning", "record": 4, "entries": 5}]}
            """
        return try ClusterStandingText(JSONValue.parse(Array(json.utf8)))
    }
    let whole = try standing(#""c""#)
    #expect(whole.difference(heardWithin: .seconds(1)) == nil && whole.owners == "a, c" && whole.owner(of: nil) == nil)
    #expect(whole.owner(of: 0) == "a" && whole.owner(of: 1) == "c" && whole.owner(of: 2) == nil)
    #expect(whole.table.contains("owned by a, c") && whole.summary.contains("owned by a, c"))
    #expect(try standing("null").difference(heardWithin: .seconds(1))?.contains("has read no claim") == true)
}
