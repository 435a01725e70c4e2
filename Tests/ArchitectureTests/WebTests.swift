import Foundation
import Testing

@Test func `what a gateway sends to browsers is made of what stands in Sources/Web`() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["node", Repository.root.appending(path: "Sources/Web/embed.mjs").path, "--check"]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
}

@Test func `scripts for browsers make no element of text and no style of words, and are at most four hundred lines`()
    throws
{
    let folder = Repository.root.appending(path: "Sources/Web")
    let scripts = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".js") }
    #expect(scripts.count > 20)
    let forbidden = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "setAttribute(\"style\"", "eval(",
        "new Function",
        "createContextualFragment", "srcdoc",
    ]
    for script in scripts {
        let text = try String(contentsOf: folder.appending(path: script), encoding: .utf8)
        #expect(forbidden.filter { text.contains($0) }.isEmpty, "\(script)")
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(script)")
    }
}
