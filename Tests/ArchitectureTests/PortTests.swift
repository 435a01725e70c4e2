import Foundation
import Testing

@Test func `tests in Swift and in Python take ports from the same blocks`() throws {
    let (swift, python) = (
        try String(contentsOf: Repository.root.appending(path: "Tests/TestSupport/Ports.swift"), encoding: .utf8),
        try String(contentsOf: Repository.root.appending(path: "Tests/Ports/ports.py"), encoding: .utf8)
    )
    #expect(swift.contains("(first, blocks, size) = (12_000, 1_000, 20)"))
    #expect(python.contains("FIRST, BLOCKS, SIZE = 12_000, 1_000, 20"))
    #expect(swift.contains(#""/tmp/forme-ports-\(getuid())""#))
    #expect(python.contains(#"f"/tmp/forme-ports-{os.getuid()}""#))
}

@Test func `no program is told a port that was only free when somebody looked`() throws {
    let folders = ["Tests", "deploy"].map { Repository.root.appending(path: $0) }
    var count = 0
    for folder in folders {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".py") || folder.lastPathComponent == "deploy" {
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else { continue }
            count += 1
            #expect(!text.contains("getsockname()[1]"), "\(name) asks the kernel for a port, and lets it go again")
        }
    }
    #expect(count > 50)
    let swift = try Repository.swiftFiles(in: "Tests").filter { $0.module != "ArchitectureTests" }
    #expect(swift.allSatisfy { !$0.text.contains("freePort") })
}
