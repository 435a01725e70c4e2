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

@Test func `the soak of its day is long enough for slopes, and the only long step`() throws {
    let script = try text("deploy/test")
    let hours = try #require(script.firstMatch(of: /soak\) deploy\/soak ([0-9.]+) .*--kill-every ([0-9]+)/))
    let soak = try text("Tests/Soak/soak.py")
    let minutes = try #require(soak.firstMatch(of: /SLOPES_FROM = ([0-9]+) \* 60\n/))
    #expect(Double(hours.output.1)! * 60 >= Double(minutes.output.1)!)
    // Some process lives until its memory is judged.
    let (age, span) = (
        try #require(soak.firstMatch(of: /FULL_AGE = ([0-9]+)\n/)),
        try #require(soak.firstMatch(of: /LEAST_SPAN = ([0-9]+)\n/))
    )
    #expect(Double(hours.output.1)! * 3600 - Double(hours.output.2)! > Double(age.output.1)! + Double(span.output.1)!)
    #expect(script.contains("[ \"$turn\" != soak ] || [ -n \"$lane\" ] || long=''\n"))
    // What a lane builds is the same on every day.
    #expect(script.matches(of: /--lane (?:worlds|browser) \$\{long:\+--all\}/).count == 2)
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

@Test(arguments: [
    ("three hosts of a cluster, and chaos", 60), ("a short turn of programs that know only the pages", 60),
    ("forme.js, and the chat that is made of it", 45), ("counting instructions", 60),
])
func `a step that has a bar of time is told loudly where it takes longer`(name: String, seconds: Int) throws {
    let script = try text("deploy/test")
    #expect(script.contains("step --bar \(seconds) \"\(name)\"\n"))
    #expect(script.contains("[ \"$seconds\" -le \"$bar\" ] || echo \"test: TOO SLOW: "))
}

@Test func `each run of all tests breaks a requirement on purpose, where that takes no second build of everything`()
    throws
{
    let script = try text("deploy/test")
    let built = "[ -x .build/mutations/.build/debug/formePackageTests.xctest ]; then\n"
    #expect(script.contains("if [ \"$turn\" != mutations ] && " + built))
    #expect(script.contains("        deploy/mutations --turn 1000\n"))
}
