import Pool
import Testing

@Test func `the health of a pool names the partitions that nobody owns, where the log has several`() throws {
    let asked: [[Int]?] = [nil, [], [1, 3]]
    for closed in asked {
        let health = PoolHealth(busy: nil, closed: closed, servedWorkers: 1)
        let read = try #require(PoolHealth(answer: OperatorAnswer.health(health).json))
        #expect(read.closed == closed && read.busy == nil && read.servedWorkers == 1)
    }
}

@Test func `a gateway reads the health of a coordinator that says nothing of partitions, or something else`() throws {
    let answers: [(String, [Int]?)] = [
        ("", nil), (#""closed_partitions": null, "#, nil), (#""closed_partitions": [], "closed_since": 5, "#, []),
        (#""closed_partitions": [2, "all"], "#, [2]),
    ]
    for (members, closed) in answers {
        let answer = #"{"health": {"posts": "open", \#(members)"served_workers": 1, "restarts": 0}}"#
        let health = try #require(PoolHealth(answer: Array(answer.utf8)), "\(answer)")
        #expect(health.closed == closed && health.servedWorkers == 1)
    }
}
