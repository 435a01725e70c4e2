import Foundation
import Storage
import TestSupport
import Testing
import Wire

@Test func `what was committed is pending after a restart, and what was laid out is not`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let events = try (0..<5).map { try event($0) }
    do {
        let journal = try Journal(in: folder)
        let entries = try journal.commit(posts: [Array(events[..<3]), Array(events[3...])])
        guard case .appended(let jobs, repeated: 0) = entries[0] else { Issue.record("not appended"); return }
        #expect(jobs.map(\.event) == Array(events[..<3]))
        _ = try journal.commit(posts: [], laidOut: [jobs[0]], givenUp: [jobs[2]])
    }
    #expect(try Journal(in: folder).pending().map(\.event) == [events[1], events[3], events[4]])
}

@Test func `the same event again is a repetition, in one post or in another`() throws {
    let temporary = try TemporaryFolder()
    let journal = try Journal(in: DataFolder(temporary.path))
    let one = try event(1)
    let entries = try journal.commit(posts: [[one, one], [one]])
    #expect(entries[0] == .appended([Job(id: JobID(1), event: one)], repeated: 1))
    #expect(entries[1] == .appended([], repeated: 1))
}

@Test func `a revision with other content is a conflict, and nothing of its post is kept`() throws {
    let temporary = try TemporaryFolder()
    let journal = try Journal(in: DataFolder(temporary.path))
    let kept = try event(1)
    let entries = try journal.commit(posts: [[kept], [try event(2), try event(1, body: "other")], [try event(3)]])
    #expect(entries[1] == .conflict)
    #expect(try journal.pending().map(\.event) == [kept, try event(3)])
}

@Test func `text that Unicode calls equal is not the same content`() throws {
    let temporary = try TemporaryFolder()
    let journal = try Journal(in: DataFolder(temporary.path))
    let entries = try journal.commit(posts: [[try event(1, body: "\u{E9}")], [try event(1, body: "e\u{301}")]])
    #expect(entries[1] == .conflict)
}

@Test func `a second coordinator is kept out, until the first is gone`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    do {
        let first = try Journal(in: folder)
        #expect(throws: StorageError.inUse(path: folder.file("journal.lock"))) { _ = try Journal(in: folder) }
        #expect(first.term == 1)
    }
    #expect(try Journal(in: folder).term == 2)
}

@Test func `a file of another format is refused, and left as it is`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    do { _ = try Journal(in: folder) }
    let path = folder.file("journal.db")
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[63] = 99  // the last byte of SQLite's user_version
    try bytes.write(to: URL(filePath: path))
    #expect(throws: StorageError.foreignFormat(path: path, found: 99, expected: 2)) { _ = try Journal(in: folder) }
}

@Test func `a folder that cannot be made says so`() {
    #expect(throws: StorageError.notAccessible(path: "/proc/forme", code: ENOENT)) {
        _ = try Journal(in: DataFolder("/proc/forme"))
    }
}
