import Foundation
import Testing

@Test func `every requirement of the seeds has an answer, and nothing else has`() {
    let counts = [33, 28, 11, 11, 11]
    let all = counts.indices.flatMap { seed in (1...counts[seed]).map { "S\(seed).\($0)" } }
    #expect(all.count == 94)
    #expect(Set(seeds.keys) == Set(all))
}

@Test func `every test that is said to prove a requirement exists`() throws {
    let tests = try Repository.swiftFiles(in: "Tests").map(\.text).joined()
    for (id, answer) in seeds {
        guard case .held(let names) = answer else { continue }
        for name in names {
            let isThere = tests.contains("func `\(name)`(")
            #expect(isThere, "\(id) is said to be proved by a test that is not there: \(name)")
        }
    }
}

@Test func `every requirement is broken on purpose in two ways`() throws {
    let folder = Repository.root.appending(path: "Tests/Mutations/patches")
    var ways: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".patch") {
        let patch = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let broken = try #require(patch.firstMatch(of: /(?m)^Breaks: (S\d\.\d+)/), "\(name) says not what it breaks")
        ways[String(broken.output.1), default: 0] += 1
    }
    #expect(Set(ways.keys) == Set(seeds.keys))
    for (id, count) in ways { #expect(count >= 2, "\(id) is broken in \(count) way") }
}
