import Foundation
import Storage
import TestSupport
import Testing
import Wire

@Test func `an edition is kept for its owner alone until it goes`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let editions = EditionFolder(folder)
    let (one, two) = (try EditionID("0a"), try EditionID("0b"))
    #expect(try editions.edition(one) == nil && editions.all().isEmpty && editions.wanted() == nil)
    try editions.keep(Array("{}".utf8), of: one)
    try editions.keep(Array("[]".utf8), of: two)
    try editions.want(WantedEdition(two, start: "x"))
    #expect(try editions.edition(two) == Array("[]".utf8) && editions.all() == [one, two])
    #expect(try editions.wanted() == WantedEdition(two, start: "x"))
    try editions.want(WantedEdition(two, start: "x", isHurried: true))
    #expect(try editions.wanted() == WantedEdition(two, start: "x", isHurried: true))
    try editions.want(WantedEdition(two, start: "x"))
    let modes = try ["editions", "editions/0a", "editions/0a/edition.json", "editions/wanted.json"].map {
        try FileManager.default.attributesOfItem(atPath: folder.file($0))[.posixPermissions] as? Int
    }
    #expect(modes == [0o700, 0o700, 0o600, 0o600])
    try editions.remove(one)
    #expect(try editions.all() == [two] && editions.edition(one) == nil)
}

@Test func `an edition is kept whole by several at once, while others remove it`() async throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let edition = try EditionID("0a")
    let json = [UInt8](repeating: 0x20, count: 40_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
            group.addTask {
                let editions = EditionFolder(folder)
                for _ in 0..<100 {
                    if number == 0 { try editions.remove(edition) } else { try editions.keep(json, of: edition) }
                    let found = try editions.edition(edition)
                    #expect(found == nil || found == json)
                }
            }
        }
        try await group.waitForAll()
    }
}

@Test func `what was kept a moment ago is about to be wanted, for an hour and by whatever clock`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let editions = EditionFolder(folder)
    let edition = try EditionID("0a")
    #expect(try !editions.isAwaited(edition))
    try editions.keep([0x20], of: edition)
    let file = folder.file("editions/0a/edition.json")
    for (age, isAwaited) in [(0.0, true), (3500, true), (3700, false), (-90_000, true)] {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file)
        #expect(try editions.isAwaited(edition) == isAwaited, "\(age)")
    }
    // The file is kept once more, though it is there.
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file)
    try editions.keep([0x20], of: edition)
    #expect(try editions.isAwaited(edition))
}

@Test func `what is served is read as it was written, and as it was written before there were fillers`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    #expect(try ServedEdition.read(in: folder) == nil)
    let (one, two) = (try EditionID("0a"), try EditionID("0b"))
    for served in [
        ServedEdition(one), ServedEdition(one, next: two), ServedEdition(one, next: two, filler: two),
        ServedEdition(one, next: two, isHurried: true), ServedEdition(two, filler: one),
    ] {
        try served.write(in: folder)
        #expect(try ServedEdition.read(in: folder) == served)
    }
    try Data(#"{"edition": "0a"}"#.utf8).write(to: URL(filePath: folder.file("served.json")))
    #expect(try ServedEdition.read(in: folder) == ServedEdition(one))
}

@Test func `what is wrong with a style is there until it is mended`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    #expect(try StyleFaults.read(in: folder) == [])
    try StyleFaults.write(["bubble.json5:55:29: expected a value, found 'x'"], in: folder)
    #expect(try StyleFaults.read(in: folder) == ["bubble.json5:55:29: expected a value, found 'x'"])
    try StyleFaults.write([], in: folder)
    #expect(try StyleFaults.read(in: folder) == [])
}
