import JSON
import Testing

@testable import Pool

private typealias Place = ClusterStanding.Place

private func standing(
    _ word: String = "following", door: String = "elsewhere", heardBefore: Int = 40, others: [ClusterStanding.Other]
) -> ClusterStanding {
    ClusterStanding(
        cluster: "chat", host: "a", standing: word, owner: "b", reign: 3,
        place: Place(sequence: 9, link: 0xFFFF_FFFF_FFFF_FFFF, entries: 20), heardBefore: heardBefore, door: door,
        others: others)
}

private let well = ClusterStanding.Other(
    host: "b", place: Place(sequence: 9, link: .max, entries: 20), heardBefore: 100, isLost: false)
private let away = ClusterStanding.Other(host: "c", place: nil, heardBefore: nil, isLost: false)

@Test func `status names what is not well with a cluster`() {
    func troubles(_ standing: ClusterStanding) -> [String] {
        var status = PoolStatus()
        let before = status.troubles
        status.cluster = standing
        return Array(status.troubles.dropFirst(before.count))
    }
    #expect(troubles(standing(others: [well])).isEmpty)
    #expect(troubles(standing("owning", door: "open", others: [well])).isEmpty)
    #expect(troubles(standing(others: [well, away])) == ["hosts that are not heard: c"])
    var young = standing(others: [well, away])
    young.listening = ClusterStanding.patience
    #expect(troubles(young).isEmpty)
    #expect(troubles(standing(door: "busy", others: [well])) == ["no host of the cluster takes events"])
    #expect(
        troubles(standing(heardBefore: 3001, others: [well])) == ["nothing is heard of the log of the cluster"])
    #expect(
        troubles(standing("stopped", door: "busy", others: [well])) == [
            "the engine has no log that the cluster can go on with; forme cluster init begins one"
        ])
    #expect(
        troubles(standing("lost", door: "busy", others: [well])) == [
            "this host takes the journal of another one in place of its own"
        ])
    var (lost, empty) = (well, well)
    lost.isLost = true
    empty.place?.sequence = 0
    #expect(
        troubles(standing("lost", door: "busy", others: [lost, empty])) == [
            "this host cannot go on from its own journal, and hears none with another (the page Cluster)"
        ])
}

@Test func `an operator is told how a host stands, and what it has heard of the others`() throws {
    let answer = try JSONValue.parse(OperatorAnswer.cluster(standing(others: [well, away])).json)["cluster"]
    #expect(answer?["standing"]?.string == "following" && answer?["owner"]?.string == "b")
    // As digits that every program reads without loss.
    #expect(answer?["link"]?.string == "ffffffffffffffff" && answer?["record"]?.number?.integer == 9)
    let others = answer?["others"]?.array
    #expect(others?[0]["heard_before"]?.number?.integer == 100 && others?[0]["lost"]?.bool == false)
    #expect(others?[1]["heard_before"] == nil && others?[1]["record"] == nil)
    for request in [
        OperatorRequest.cluster, .adopt(), .adopt(partition: 2), .move(to: "b"), .move(to: "b", partition: 0), .compare,
    ] {
        #expect(try OperatorRequest(parsing: request.json) == request && !request.isOfGateways)
    }
    #expect(OperatorRequest.adopt().isOrder && OperatorRequest.move(to: "b").isOrder)
    #expect(!OperatorRequest.cluster.isOrder && !OperatorRequest.compare.isOrder)
}

@Test func `an operator is told what rows each host has counted`() throws {
    var standing = standing(others: [well])
    #expect(try JSONValue.parse(OperatorAnswer.cluster(standing).json)["cluster"]?["comparison"] == nil)
    let rows = [
        ClusterStanding.Rows(host: "a", edition: "0a", count: 12, digest: .max),
        ClusterStanding.Rows(host: "b", edition: "0a", count: nil, digest: 0),
    ]
    standing.comparison = ClusterStanding.Comparison(number: 7, rows: rows)
    let told = try JSONValue.parse(OperatorAnswer.cluster(standing).json)["cluster"]?["comparison"]
    #expect(told?["number"]?.number?.integer == 7)
    #expect(told?["rows"]?.array?[0]["digest"]?.string == "ffffffffffffffff")
    #expect(told?["rows"]?.array?[0]["count"]?.number?.integer == 12)
    #expect(told?["rows"]?.array?[1]["count"]?.number == nil)
}

@Test func `the standing in several partitions has the troubles of each, and an owner where one host owns them all`()
    throws
{
    var other = standing("owning", door: "open", others: [well, away])
    let same = ClusterStanding(together: [other, standing(others: [well, away])])
    #expect(same.standing == "owning" && same.owner == "b" && same.door == "open" && same.host == "a")
    #expect(same.place.sequence == 18 && same.place.entries == 40)
    #expect(same.others[0].place?.sequence == 18 && same.others[0].heardBefore == 100 && same.others[1].place == nil)
    other.owner = "c"
    other.place.link = 7
    let torn = ClusterStanding(together: [
        other, standing("lost", door: "busy", heardBefore: 70, others: [well, away]),
    ])
    #expect(torn.standing == "lost" && torn.owner == nil && torn.door == "busy" && torn.heardBefore == 70)
    #expect(torn.place.link != same.place.link)
    let told = try JSONValue.parse(OperatorAnswer.cluster(torn).json)["cluster"]
    let parts = told?["partitions"]?.array
    #expect(parts?.count == 2 && parts?[0]["owner"]?.string == "c" && parts?[1]["standing"]?.string == "lost")
    let single = try JSONValue.parse(OperatorAnswer.cluster(standing(others: [well])).json)["cluster"]
    #expect(single?["partitions"] == nil)
}
