import Foundation
import TestSupport
import Testing

/// Type-checks sources against the modules that these tests were built with.
private func check(_ arguments: [String]) throws -> (code: Int32, output: String) {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let modules = URL(filePath: own).deletingLastPathComponent().appending(path: "Modules")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
        ["swiftc", "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault"]
        + ["-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility"]
        + ["-strict-memory-safety", "-warnings-as-errors", "-I", modules.path] + arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
}

@Test func `the collection view layout and the cell fit UIKit, as far as they use it`() throws {
    let folder = try TemporaryFolder()
    let stub = Project.file("Tests/FormeClientTests/UIKit/UIKit.swift").path
    let made = try check([
        "-emit-module", "-parse-as-library", "-module-name", "UIKit", stub, "-o", folder.file("UIKit.swiftmodule"),
    ])
    #expect(made.code == 0, "\(made.output)")
    let root = Project.file("Sources/FormeClient")
    let sources = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
    #expect(sources.contains { $0.hasPrefix("UIKit/") })
    // SwiftPM calls a package by its folder.
    let package = Project.root.lastPathComponent.lowercased().replacing("-", with: "_")
    let checked = try check(
        ["-typecheck", "-parse-as-library", "-module-name", "FormeClient", "-package-name", package, "-I", folder.path]
            + sources.map { root.appending(path: $0).path })
    #expect(checked.code == 0, "\(checked.output)")
}

@Test func `the example of the page for clients is a program`() throws {
    let folder = try TemporaryFolder()
    let page = try String(contentsOf: Project.file("Sources/forme/forme.docc/Clients.md"), encoding: .utf8)
    let section = try #require(page.range(of: "\n## In Swift\n"))
    let start = try #require(page.range(of: "```swift\n", range: section.upperBound..<page.endIndex))
    let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
    let file = folder.file("main.swift")
    try String(page[start.upperBound..<end.lowerBound]).write(toFile: file, atomically: true, encoding: .utf8)
    let checked = try check(["-typecheck", "-module-name", "example", file])
    #expect(checked.code == 0, "\(checked.output)")
}
