import Foundation
import Testing

private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
}

/// The long checks of `deploy/test`, in the order of days.
private func turns() throws -> [String] {
    let line = try #require(try text("deploy/test").firstMatch(of: /\nturns="([a-z ]+)"\n/))
    return line.output.1.split(separator: " ").map(String.init)
}

@Test func `the page Working and the help of the command name the long checks of the script, in its order`() throws {
    let turns = try turns()
    let script = try text("deploy/test")
    #expect(script.contains("this one: \(turns.joined(separator: ", ")), none\n"))
    let table = try #require(try text("Sources/forme/forme.docc/Working.md").firstRange(of: "| turn | what it runs |"))
    let rows = try text("Sources/forme/forme.docc/Working.md")[table.lowerBound...].split(separator: "\n").dropFirst(2)
        .prefix { $0.hasPrefix("| ") }
    #expect(rows.compactMap { $0.firstMatch(of: /^\| `([a-z]+)` \| `deploy\//).map { String($0.output.1) } } == turns)
    // Each is tried by a line of its own, alone or with another.
    let choice = try #require(script.firstRange(of: "    case $turn in\n"))
    let names = script[choice.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("    esac") }
        .compactMap { $0.firstMatch(of: /^    ([a-z |]+)\)/)?.output.1 }
        .flatMap { $0.split { $0 == " " || $0 == "|" }.map(String.init) }
    #expect(names.sorted() == turns.sorted())
}

@Test func `the long check of the day comes from the number of the day, and each of them comes by`() throws {
    #expect(try text("deploy/test").contains("shift $(($(date +%s) / 86400 % $#))\n"))
    let turns = try turns()
    // 2026-11-29 and the day after it: both were tried before the list was made longer.
    #expect(turns[20786 % turns.count] == "address" && turns[20787 % turns.count] == "thread")
    for turn in ["package", "image", "upgrade", "address", "thread", "mutations", "soak"] {
        #expect(turns.count { $0 == turn } == 1, "\(turn)")
    }
}
