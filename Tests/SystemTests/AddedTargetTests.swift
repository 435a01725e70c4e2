import Conversation
import Foundation
import MessageLayout
import Names
import Pool
import Record
import Storage
import TestSupport
import Testing
import Wire

private func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map {
        #"{"conversation": "c", "message": "m\#($0)", "order": \#($0), "sender": "ada", "time": 1700000000000, "#
            + #""revision": 1, "text": "\#(String(repeating: "word \($0) ", count: $0 % 40 + 1))"}"#
    }.joined(separator: "\n") + "\n"
}

/// The screens that are added, as `forme status` says.
private func added(_ folder: TemporaryFolder) throws -> [String] {
    let said = try run(["status", "--json", "--data", folder.file("data")])
    guard said.code == 0,
        let answer = try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any],
        let status = answer["status"] as? [String: Any], let targets = status["targets"] as? [String: Any],
        let added = targets["added"] as? [[String: Any]]
    else { return [] }
    return added.compactMap { $0["target"] as? String }
}

@Test(.waits)
func `a screen that is asked for often is laid out for ahead, old rows and new ones, also after a restart`()
    throws
{
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    try "{ data: '\(folder.file("data"))', workers: 2, targets: { added: 1, askedOften: 3 } }".write(
        toFile: file, atomically: true, encoding: .utf8)
    var service = try Command(["serve", "--config", file])
    #expect(try run(["post", "--config", file], input: lines(1...600)).code == 0)
    func window(as reader: String = "nobody") throws -> String {
        try run(["fetch", "c", "--json", "--config", file, "--target", "397@3", "--as", reader]).output
    }
    /// The number of rows that are stored for a screen.
    func stored(_ target: Target = Target(text: "397@3")!) throws -> Int {
        let data = DataFolder(folder.file("data"))
        guard let manifest = try FolderManifest.read(in: data), let served = try ServedEdition.read(in: data) else {
            return 0
        }
        let conversation = try ConversationID("c")
        var reader = try ShardReader(
            Shard(of: conversation, among: manifest.shards), of: served.edition, in: data)
        return try reader.rows(reader.places(of: conversation).places.map(\.number))
            .count { try LayoutRecord($0.layout).targets.contains(target) }
    }
    try waitUntil { try run(["fetch", "c", "--config", file]).output.contains("m600 ") }
    let before = try window()
    #expect(try before.contains("m600") && stored() == 0)
    for reader in ["one", "two", "three"] { #expect(try window(as: reader) == before) }
    try waitUntil { try added(folder) == ["397@3"] }
    try waitUntil { try stored() == 600 }
    #expect(try run(["post", "--config", file], input: lines(601...601)).code == 0)
    try waitUntil { try stored() == 601 }
    try waitUntil { try run(["status", "--config", file]).output.contains("added 397@3, 100 %") }

    // By hand, the other way.
    #expect(try run(["pool", "prepare", "--target", "401@2,130", "--config", file]).code == 0)
    #expect(try run(["pool", "prepare", "--target", "375@3", "--config", file]).code != 0)
    try waitUntil { try Set(added(folder)) == ["397@3", "401@2,130"] }
    service.process.terminate()
    #expect(try service.finish().code == 0)
    let check = try run(["check", folder.file("data")])
    #expect(check.code == 0, "\(check.output)")

    service = try Command(["serve", "--config", file])
    try waitUntil { try Set(added(folder)) == ["397@3", "401@2,130"] }
    let large = try #require(Target(text: "401@2,130"))
    try waitUntil { try stored(large) == 601 }
    #expect(try run(["pool", "forget", "--target", "401@2,130", "--config", file]).code == 0)
    #expect(try run(["pool", "forget", "--target", "401@2,130", "--config", file]).code != 0)
    #expect(try run(["post", "--config", file], input: lines(602...602)).code == 0)
    try waitUntil { try stored() == 602 }
    #expect(try stored(large) < 602)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
