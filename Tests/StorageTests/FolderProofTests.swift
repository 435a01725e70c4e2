import Foundation
import Storage
import TestSupport
import Testing
import Wire

@Test func `whoever has the folder proves it, and a copy of it does not`() throws {
    let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
    let (folder, copy) = (DataFolder(one.path), DataFolder(two.path))
    #expect(try FolderProof.read(in: folder) == .none)
    let proof = try FolderProof.make(in: folder)
    #expect(try FolderProof.read(in: folder) == proof && proof != .none)
    for name in try FileManager.default.contentsOfDirectory(atPath: one.path) {
        try FileManager.default.copyItem(atPath: one.file(name), toPath: two.file(name))
    }
    #expect(try FolderProof.read(in: copy) != proof)
    // A coordinator that starts again wants another one.
    #expect(try FolderProof.make(in: folder) != proof)
}
