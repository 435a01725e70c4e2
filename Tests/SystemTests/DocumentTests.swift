import Foundation
import TestSupport
import Testing

/// The README and all pages, by their paths.
private func documents() throws -> [(path: String, text: String)] {
    let pages = try FileManager.default.subpathsOfDirectory(atPath: Project.file("Sources").path)
        .filter { $0.hasSuffix(".md") }.sorted()
    return try (["README.md"] + pages.map { "Sources/\($0)" }).map {
        ($0, try String(contentsOf: Project.file($0), encoding: .utf8))
    }
}

/// Lines of its pieces of code in the language of shells.
private func commands(in text: String) -> [String] {
    text.matches(of: /```sh\n([\s\S]*?)```/).flatMap { $0.1.split(separator: "\n").map(String.init) }
}

@Test func `links lead to what is there`() throws {
    for (path, text) in try documents() {
        let folder = Project.file(path).deletingLastPathComponent()
        for link in text.matches(of: /\]\(([^)\s]+)\)/).map({ String($0.1) }) where !link.contains("://") {
            let target = folder.appending(path: String(link.prefix { $0 != "#" })).path
            // A picture of a catalogue is named without its folder and its ending.
            let pictures = ["jpg", "png", "svg"].map { folder.appending(path: "Resources/\(link).\($0)").path }
            #expect(([target] + pictures).contains { FileManager.default.fileExists(atPath: $0) }, "\(path): \(link)")
        }
        for page in text.matches(of: /<doc:(\w+)>/).map({ String($0.1) }) {
            let all = try documents().map { URL(filePath: $0.path).deletingPathExtension().lastPathComponent }
            #expect(all.contains(page), "\(path): \(page)")
        }
    }
}

@Test func `files of the project that are named are there`() throws {
    for (path, text) in try documents() {
        let named = text.matches(of: /`((?:Sources|Tests|deploy|config|\.ci)\/[\w.\/+-]+)`/).map { String($0.1) }
        for file in named where !file.hasSuffix("payment.json5") {
            #expect(FileManager.default.fileExists(atPath: Project.file(file).path), "\(path): \(file)")
        }
    }
}

@Test(.waits) func `commands in README and pages exist, with every option that they are given`() throws {
    var helps: [String: String] = [:]
    var count = 0
    for (path, text) in try documents() {
        for line in commands(in: text) {
            for call in line.matches(of: /(?:^|[\s|\/])forme ([a-z]+)((?:\s+[^|#<>&\s][^|#<>&\s]*)*)/) {
                let name = String(call.1)
                if helps[name] == nil {
                    let help = try run(["help", name])
                    helps[name] = help.code == 0 ? help.output : ""
                }
                guard !["help", "completions", "manual"].contains(name) else { continue }
                let help = try #require(helps[name])
                #expect(!help.isEmpty, "\(path): \(line)")
                for option in call.2.matches(of: /\s(--[a-z-]+)/).map({ String($0.1) }) {
                    count += 1
                    #expect(help.contains(option), "\(path): \(option) in \(line)")
                }
            }
            for program in line.matches(of: /(?:^|\s)(deploy\/[a-z]+)/).map({ String($0.1) }) {
                #expect(FileManager.default.isExecutableFile(atPath: Project.file(program).path), "\(path): \(program)")
            }
        }
    }
    #expect(count > 40)
}

@Test func `the README is short`() throws {
    let lines = try String(contentsOf: Project.file("README.md"), encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 151)
}
