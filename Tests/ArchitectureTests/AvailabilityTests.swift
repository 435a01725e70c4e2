import Foundation
import Testing

/// `FormeClient` runs on the oldest systems that it names when nothing in it, or below it, is newer by the
/// toolchain's own symbol graphs. No compiler on Linux looks: only Apple's refuse such a symbol, in the build of a
/// package that depends on us.
@Test func `all that FormeClient is made of is as old as the systems that the package names`() throws {
    let minimum = try #require(Version.named(in: try manifest()), "Package.swift names no version of iOS")
    let newer = try ToolchainSymbols.all().filter { $0.since > minimum && !$0.isReplacedByCompiler }
    #expect(
        newer.contains { $0.name == "DecodingError.debugDescription" }, "a graph with nothing newer is not read well")
    for module in clientModules {
        let used = try newer.filter(in: module).map { "\($0.name) (iOS \($0.since))" }
        #expect(
            used.isEmpty, "\(module) uses \(used.sorted().joined(separator: ", ")); Package.swift says iOS \(minimum)")
    }
}

@Test func `what is newer than a system is found in the modules that use it`() throws {
    let newer = try ToolchainSymbols.all().filter { $0.since > Version(major: 17) && !$0.isReplacedByCompiler }
    let used = try clientModules.flatMap { try newer.filter(in: $0).map(\.name) }
    #expect(used.contains("Array.span"))
}

/// `FormeClient` and all that it is linked with.
private let clientModules = [
    "FormeClient", "Conversation", "Wire", "Record", "Rows", "MessageLayout", "Typography", "Names", "Bytes", "JSON",
]

private func manifest() throws -> String {
    try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
}

private struct Version: Comparable, CustomStringConvertible {
    var major: Int
    var minor = 0

    var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }

    static func < (one: Self, other: Self) -> Bool { (one.major, one.minor) < (other.major, other.minor) }

    /// The version of `.iOS(.v26)`.
    static func named(in manifest: String) -> Version? {
        manifest.firstMatch(of: /\.iOS\(\.v(\d+)/).flatMap { Int($0.output.1) }.map { Version(major: $0) }
    }
}

private struct ToolchainSymbol {
    var name: String
    /// Its name in compiled code, with those of the types that lead to it.
    var mangled: String
    var since: Version

    /// A loop over an asynchronous sequence calls `next()` where a system has nothing newer, and calls this here.
    var isReplacedByCompiler: Bool { name.hasSuffix(".next(isolation:)") }
}

private enum ToolchainSymbols {
    /// The symbols of the standard library that say since when they are there.
    static func all() throws -> [ToolchainSymbol] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "forme-symbols-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = try output(of: ["swift", "-print-target-info"])
        let triple = try #require(target.firstMatch(of: /"triple": "([^"]+)"/)?.output.1)
        for module in ["Swift", "Synchronization"] {
            _ = try output(of: [
                "swift", "symbolgraph-extract", "-module-name", module, "-target", String(triple), "-output-dir",
                folder.path,
                "-minimum-access-level", "public",
            ])
        }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .flatMap { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)).symbols }
            .compactMap(\.symbol)
    }

    private struct Graph: Decodable {
        var symbols: [Entry]

        struct Entry: Decodable {
            var kind: Kind
            var identifier: Identifier
            var pathComponents: [String]
            var availability: [Availability]?

            struct Kind: Decodable { var identifier: String }
            struct Identifier: Decodable { var precise: String }
            struct Availability: Decodable {
                var domain: String?
                var introduced: Introduced?

                struct Introduced: Decodable {
                    var major: Int
                    var minor: Int?
                }
            }

            var symbol: ToolchainSymbol? {
                guard let since = availability?.first(where: { $0.domain == "iOS" })?.introduced else { return nil }
                var mangled = identifier.precise.dropFirst("s:".count)
                if let end = mangled.range(of: "::") { mangled = mangled[..<end.lowerBound] }
                // The accessors of a property have its name up to the last letter.
                if kind.identifier.hasSuffix("property") || kind.identifier.hasSuffix("subscript") {
                    mangled = mangled.dropLast()
                }
                guard mangled.utf8.count > 6 else { return nil }
                return ToolchainSymbol(
                    name: pathComponents.joined(separator: "."), mangled: String(mangled),
                    since: Version(major: since.major, minor: since.minor ?? 0))
            }
        }
    }
}

extension [ToolchainSymbol] {
    /// The symbols in the index of a module, which was written when it was compiled together with these tests: in
    /// optimised code, inlined symbols have no name any more.
    fileprivate func filter(in module: String) throws -> [ToolchainSymbol] {
        let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let patterns = FileManager.default.temporaryDirectory.appending(path: "forme-patterns-\(UUID())")
        try map(\.mangled).joined(separator: "\n").write(to: patterns, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: patterns) }
        // A unit names the object that was compiled and its records, which are kept by the last two letters of their
        // names.
        let find = #"""
            cd "$1/index/store/v5" && grep -lrF "/$2.build/" units | xargs grep -ahoE '[[:alnum:]_+]+[.]swift-[0-9A-Z]{9,16}' |
            sort -u | sed -E 's,.*(..)$,records/\1/&,' | xargs -r ls 2>/dev/null >"$3.records"
            wc -l <"$3.records"; xargs grep -ahoFf "$3" <"$3.records" | sort -u; rm "$3.records"
            """#
        let found = try output(of: ["sh", "-c", find, "sh", build.path, module, patterns.path]).split(separator: "\n")
        try #require((found.first.flatMap { Int($0) } ?? 0) > 0, "\(module) has no index")
        let used = Set(found.dropFirst().map(String.init))
        return filter { used.contains($0.mangled) }
    }
}

private func output(of command: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(
        process.terminationStatus <= 1,
        "\(command.prefix(3).joined(separator: " ")) ended with \(process.terminationStatus)")
    return String(decoding: data, as: UTF8.self)
}
