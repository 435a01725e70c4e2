import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Test func `a file that several replace at once is one of theirs, whole, and nothing else is left`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/decoration.json"
    let refused = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { writer in
        for _ in 0..<50 {
            do {
                try FileFacts.replace(path, with: [UInt8](repeating: UInt8(writer), count: 20_000))
            } catch {
                refused.withLock { $0 += 1 }
            }
        }
    }
    #expect(refused.withLock(\.self) == 0)
    let bytes = try #require(try FileFacts.contents(of: path))
    #expect(bytes.count == 20_000 && Set(bytes).count == 1)
    #expect(try FileFacts.names(in: folder.path) == ["decoration.json"])
}

@Test func `a file that cannot be replaced says why, and no draft is left`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/decoration.json"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: StorageError.notAccessible(path: path, code: EISDIR)) { try FileFacts.replace(path, with: [1]) }
    #expect(try FileFacts.names(in: folder.path) == ["decoration.json"])
}

@Test(arguments: [0, 4096])
func `a disk that takes only the first bytes of a file is told as full, and no draft is left`(bytes: Int) throws {
    let folder = try TemporaryFolder()
    let probe = try Probe(["limited-edition", folder.path, "e1", "\(bytes)"])
    #expect(probe.line() == "full")
    #expect(try FileFacts.names(in: folder.file("editions/e1")).isEmpty)
}
