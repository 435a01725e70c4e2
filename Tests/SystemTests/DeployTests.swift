import Foundation
import TestSupport
import Testing

@Test(
    .waits,
    arguments: [
        ("Swift version 5.10.1 (swift-5.10.1-RELEASE)", "Swift 5.10 is too old; install Swift 6.2 or newer"),
        ("Swift version 6.1 (swift-6.1-RELEASE)", "Swift 6.1 is too old; install Swift 6.2 or newer"),
        ("nonsense", "Swift of unknown version is too old; install Swift 6.2 or newer"),
    ])
func `a toolchain that is too old is told in one sentence`(version: String, sentence: String) throws {
    let result = try prepare(swift: "echo '\(version)'")
    #expect(result.code == 1)
    #expect(result.errors.hasPrefix("deploy: \(sentence)"))
    #expect(result.errors.count { $0 == "\n" } == 1)
}

@Test(.waits, arguments: ["Swift version 6.2 (x)", "Swift version 6.10.1 (x)", "Apple Swift version 7.0 (x)"])
func `a toolchain that is new enough is taken, and nothing is said where all is installed`(version: String) throws {
    let result = try prepare(swift: "echo '\(version)'")
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
}

@Test(.waits) func `a missing toolchain is told in one sentence`() throws {
    let result = try prepare(swift: nil)
    #expect(result.code == 1)
    #expect(result.errors.hasPrefix("deploy: there is no 'swift' in PATH; install Swift 6.2 or newer"))
}

/// Runs `deploy/prepare` with a `swift` of our own as the only one in the path, or with none.
private func prepare(swift script: String?) throws -> (code: Int32, errors: String) {
    let folder = try TemporaryFolder()
    for tool in ["awk", "dirname", "dpkg-query", "grep", "id", "sed"] {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(tool), withDestinationPath: "/usr/bin/" + tool)
    }
    if let script {
        let path = folder.file("swift")
        try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [root.appending(path: "deploy/prepare").path, "test"]
    process.environment = ["PATH": folder.path]
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
}

@Test(
    .waits,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")),
    arguments: [
        "forme.service", "forme-worker@.service", "forme-remote@.service", "forme-gateway.service", "forme.target",
    ])
func `systemd has nothing to say against a unit`(name: String) throws {
    let folder = try TemporaryFolder()
    for other in Set([name, "forme.target"]) {
        let unit = try String(contentsOf: Project.file("deploy/systemd/\(other)"), encoding: .utf8)
        // The program is looked for where the unit says, and is not installed where tests run.
        try unit.replacing("/usr/bin/forme", with: "/bin/true")
            .write(toFile: folder.file(other), atomically: true, encoding: .utf8)
    }
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
    process.arguments = ["verify", folder.file(name)]
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && said.isEmpty, "\(String(decoding: said, as: UTF8.self))")
}

@Test(
    .waits,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")),
    arguments: ["forme.service", "forme-worker@.service", "forme-remote@.service", "forme-gateway.service"])
func `a unit leaves its program little to do harm with`(name: String) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
    process.arguments = [
        "security", "--offline=yes", "--threshold=12", Project.file("deploy/systemd/\(name)").path,
    ]
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said.suffix(300))")
}

@Test(arguments: ["forme.service", "forme-worker@.service", "forme-gateway.service"])
func `a unit keeps its fonts in the folder that systemd makes for its user`(name: String) throws {
    let unit = try Project.lines(of: Project.file("deploy/systemd/\(name)"))
    func value(_ setting: String) throws -> Substring {
        try #require(unit.first { $0.hasPrefix(setting + "=") }).dropFirst(setting.count + 1)
    }
    // Forme adds a folder of its name.
    let (own, used) = (try value("CacheDirectory"), try value("Environment=XDG_CACHE_HOME") + "/forme/")
    #expect(used.hasPrefix("/var/cache/\(own)/"), "\(name)")
}

@Test func `the target of all is in the package, and every unit starts and ends with it`() throws {
    let target = try Project.lines(of: Project.file("deploy/systemd/forme.target"))
    #expect(target.contains("[Install]") && target.contains("WantedBy=multi-user.target"))
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.file("deploy/systemd").path)
    let units = files.filter { $0.hasSuffix(".service") }
    #expect(units.count == 4)
    for name in units {
        let unit = try Project.lines(of: Project.file("deploy/systemd/\(name)"))
        #expect(unit.contains("PartOf=forme.target"), "\(name)")
        #expect(unit.contains("WantedBy=multi-user.target forme.target"), "\(name)")
    }
    let making = try String(contentsOf: Project.file("deploy/package"), encoding: .utf8)
    #expect(making.contains("cp deploy/systemd/*.service deploy/systemd/*.target "))
}

@Test(arguments: [
    ("forme-worker@.service", ["ProcSubset=all", "IPAddressDeny=any", "IPAddressAllow=localhost"]),
    ("forme-gateway.service", ["ProcSubset=pid", "IPAddressDeny=any", "IPAddressAllow=localhost"]),
    ("forme.service", ["ProcSubset=all", "# No IPAddressDeny"]),
    ("forme-remote@.service", ["ProcSubset=all", "# No IPAddressDeny"]),
])
func `a unit has its program reach this machine alone, and of /proc itself alone, or says why not`(
    name: String, lines: [String]
) throws {
    let unit = try Project.lines(of: Project.file("deploy/systemd/\(name)"))
    for line in lines { #expect(unit.contains { $0.hasPrefix(line) }, "\(line)") }
    for (index, line) in unit.enumerated() where line == "ProcSubset=all" {
        #expect(unit[index - 1].hasPrefix("# "), "nothing says why \(name) sees all of /proc")
    }
}

@Test(arguments: ["forme.service", "forme-worker@.service", "forme-remote@.service", "forme-gateway.service"])
func `a unit that stays down after some codes runs no check before its program, whose codes would be overlooked`(
    name: String
) throws {
    let unit = try Project.lines(of: Project.file("deploy/systemd/\(name)"))
    func has(_ setting: String) -> Bool { unit.contains { $0.hasPrefix(setting + "=") } }
    #expect(!has("RestartPreventExitStatus") || !has("ExecStartPre"))
    // A unit that is checked first is given up by its limit of starts instead.
    #expect(!has("ExecStartPre") || has("StartLimitBurst"))
}

@Test func `systemd leaves the folder open for another user's gateway, whichever unit starts or reloads`() throws {
    let recipe = try String(contentsOf: Project.file("deploy/systemd/forme-gateway.service"), encoding: .utf8)
    for unit in ["forme.service", "forme-worker@.service"] {
        // systemd gives a folder of its state the group and mode of the unit, each time.
        #expect(try Project.lines(of: Project.file("deploy/systemd/\(unit)")).contains("StateDirectory=forme"))
        #expect(recipe.contains(unit))
    }
    let dropIn = ["[Service]", "Group=forme-gateway", "StateDirectoryMode=0750"]
    #expect(recipe.contains(dropIn.map { "#                \($0)\n" }.joined()))
}

/// A program that becomes ours with the system calls that a unit leaves it, and no others.
private func filtered(as unit: String) -> [String] {
    ["/usr/bin/python3", Project.file("Tests/Units/filtered.py").path, Project.file("deploy/systemd/\(unit)").path]
}

private let canFilter =
    ["/usr/bin/python3", "/usr/bin/systemd-analyze"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    && hasLibrary("libseccomp.so.2")
private let face = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"

private func hasLibrary(_ name: String) -> Bool {
    guard let handle = unsafe dlopen(name, RTLD_LAZY) else { return false }
    unsafe dlclose(handle)
    return true
}

@Test(
    .waits, .enabled(if: canFilter, "install python3, systemd and libseccomp2"),
    arguments: ["forme.service", "forme-worker@.service", "forme-remote@.service", "forme-gateway.service"])
func `a process calls its service with the system calls that a unit leaves it`(unit: String) throws {
    let folder = try TemporaryFolder()
    let asking = try Command(
        ["status", "--data", folder.path], environment: ["SWIFT_BACKTRACE": "enable=no"],
        launcher: filtered(as: unit))
    let end = try asking.finish()
    #expect(end.code == 69, "\(end.errors)")
}

@Test(
    .waits,
    .enabled(
        if: canFilter && FileManager.default.isReadableFile(atPath: face),
        "install python3, systemd, libseccomp2 and fonts-noto-core"))
func `a service works, and makes fonts smaller, with the system calls that its unit leaves it`() throws {
    let folder = try TemporaryFolder()
    let (data, fonts) = (folder.file("data"), folder.file("fonts.json"))
    try #"[{"name": "NotoSans", "faces": [{"weight": "any", "path": "\#(face)"}]}]"#
        .write(toFile: fonts, atomically: true, encoding: .utf8)
    let making = try Command(
        ["webfonts", "--data", folder.file("other"), "--fonts", fonts], launcher: filtered(as: "forme.service"))
    let made = try making.finish()
    #expect(made.code == 0, "\(made.errors)")
    let service = try Command(
        ["serve", "--data", data, "--workers", "1"], environment: ["SWIFT_BACKTRACE": "enable=no"],
        launcher: filtered(as: "forme.service"))
    try service.waitForMessage("a worker joined")
    let event = #"{"conversation":"c","message":"m","order":1,"sender":"ada","time":0,"text":"x"}"#
    #expect(try run(["post", "--data", data], input: event).code == 0)
    try waitUntil { try run(["fetch", "c", "--data", data]).code == 0 }
    service.process.terminate()
    let end = try service.finish()
    #expect(end.code == 0, "\(end.errors)")
}

private let hadolint = Project.file(".build/venv/bin/hadolint").path

@Test(
    .waits,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: hadolint), "run deploy/prepare test, with PyPI in reach"))
func `a linter of containers has nothing to say against the image's file`() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: hadolint)
    process.arguments = ["--no-color", Project.file("deploy/container/Containerfile").path]
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && said.isEmpty, "\(said.suffix(300))")
}

@Test(.waits) func `the configuration beside the compose file is read, and asks readers for tokens`() throws {
    let file = Project.file("deploy/container/forme.json5").path
    let printed = try run(["config", "print", "--config", file])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
    let http = try #require(object["http"] as? [String: Any])
    #expect(object["data"] as? String == "/var/lib/forme" && http["tokens"] as? String == "/etc/forme/tokens")
}

@Test func `where no systemd reads who the users are, the package makes the same ones`() throws {
    let making = try String(contentsOf: Project.file("deploy/debian/postinst"), encoding: .utf8)
    let folder = Project.file("deploy/systemd").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sysusers") }
    #expect(files.count == 2)
    for name in files {
        let line = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        let user = try #require(line.wholeMatch(of: /u ([a-z\-]+) - ".*" (\/\S*)\n/)).output
        #expect(making.contains("        user \(user.1) \(user.2)\n"), "\(name)")
        #expect(making.contains("/usr/lib/sysusers.d/\(user.1).conf"), "\(name)")
    }
}

@Test func `the change log of the package begins with the version that the program says, and tells what it brought`()
    throws
{
    let log = try String(contentsOf: Project.file("deploy/debian/changelog"), encoding: .utf8)
    let program = try String(contentsOf: Project.file("Sources/Console/Program.swift"), encoding: .utf8)
    let version = try #require(program.firstMatch(of: /static let version = "(.*)"/)).output.1
    #expect(log.hasPrefix("forme (\(version)) unstable; urgency=medium\n\n  * "))
    // Each version is told once, and signed, or Debian's programs read none of it.
    let told = log.matches(of: /(?m)^forme \(([0-9.]+)\)/).map { String($0.output.1) }
    #expect(Set(told).count == told.count)
    #expect(log.matches(of: /(?m)^ -- Forme <.*>  .* \+0000$/).count == told.count)
    let making = try String(contentsOf: Project.file("deploy/package"), encoding: .utf8)
    #expect(making.contains("deploy/debian/changelog >\"$root/usr/share/doc/forme/changelog.gz\""))
}
