import Foundation
import TestSupport
import Testing

@Test(
    .waits,
    arguments: [
        ([], "which command? Read: forme --help"),
        (["dance"], "no command is called 'dance'. Read: forme --help"),
        (["statsu"], "no command is called 'statsu'; did you mean forme status? Read: forme --help"),
        (["serve", "--colour", "red"], "unknown option --colour. Read: forme help serve"),
        (["serve", "--dta", "a"], "unknown option --dta; did you mean --data? Read: forme help serve"),
        (["serve", "--workers"], "--workers needs a value. Read: forme help serve"),
        (["serve", "--workers", "0"], "--workers takes a number from 1 to 256, not '0'. Read: forme help serve"),
        (["serve", "--data", "a", "--data", "b"], "--data is given twice. Read: forme help serve"),
        (["fetch", "c", "everything"], "'everything' is not expected here. Read: forme help fetch"),
        (
            ["fetch", "c", "--around", "noon"],
            "--around takes newest, unread, message:ID, date:MILLISECONDS or y:PIXELS, not 'noon'. Read: forme help fetch"
        ),
        (["tail"], "tail takes a CONVERSATION, such as demo. Read: forme help tail"),
        (
            ["fetch", "c", "--target", "wide"],
            "--target takes WIDTH@SCALE, such as 390@3, not 'wide'. Read: forme help fetch"
        ),
        (["fetch", "--target", "390@3"], "fetch takes a CONVERSATION, such as demo. Read: forme help fetch"),
        (
            ["serve", "--listen", "x"],
            "--listen takes HOST:PORT, such as 127.0.0.1:7300, not 'x'. Read: forme help serve"
        ),
    ])
func `a mistake in the command is named, with the help to read, and ends with 2`(
    words: [String], sentence: String
) throws {
    let result = try run(words)
    #expect(result.code == 2)
    #expect(result.errors == "forme: \(sentence)\n")
    #expect(result.output.isEmpty)
}

@Test(.waits) func `help is found in each of the ways that people try`() throws {
    let overview = try run(["--help"])
    #expect(overview.code == 0 && overview.output.contains("exit codes: 0 done"))
    #expect(try run(["help"]).output == overview.output)
    #expect(try run(["serve", "--help"]).output == run(["help", "serve"]).output)
    #expect(try run(["help", "serve"]).output.contains("--workers N"))
    #expect(try run(["--version"]).output.hasPrefix("forme "))
}

@Test(.waits) func `a folder that is in use is refused with 69, and says what to do`() throws {
    let folder = try TemporaryFolder()
    let first = try Command(["coordinator", "--data", folder.path])
    try first.waitForMessage("message=listening")
    let second = try run(["coordinator", "--data", folder.path])
    #expect(second.code == 69)
    #expect(second.errors.contains("is another coordinator using this folder?"))
}

@Test(.waits) func `an address that is taken is refused with 69, and says what to do`() throws {
    let folders = try (TemporaryFolder(), TemporaryFolder())
    let first = try Command(["gateway", "--data", folders.0.path])
    let address = folders.0.file("fetch.ipc")
    try waitUntil { FileManager.default.fileExists(atPath: address) }
    let second = try run(["gateway", "--data", folders.0.path])
    #expect(second.code == 69)
    #expect(second.errors.contains("is taken; is another Forme running there?"))
    #expect(first.process.isRunning)
}

@Test(.waits) func `a folder that cannot be written is refused with 74, and named`() throws {
    let result = try run(["coordinator", "--data", "/proc/forme"])
    #expect(result.code == 74)
    #expect(result.errors.contains("/proc/forme cannot be written: No such file or directory"))
}

@Test(.waits) func `a list of fonts that cannot be read ends the service with 74, and is named`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["serve", "--data", folder.path, "--fonts", "/nowhere/fonts.json5"])
    #expect(result.code == 74)
    #expect(result.errors.contains("/nowhere/fonts.json5 cannot be read; name the list of fonts with --fonts"))
    // Told once, though three processes found it.
    #expect(result.errors.components(separatedBy: "forme: ").count == 2)
    #expect(!result.errors.contains("starting it again"))
}

@Test(.waits) func `a style that cannot be read is told once, before anything is started`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["serve", "--data", folder.file("data"), "--style", "/nowhere/style.json5"])
    #expect(result.code == 74)
    #expect(
        result.errors
            == "forme: /nowhere/style.json5 cannot be read; name a style such as config/styles/bubble.json5\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
}

@Test(.waits) func `a path that is too long for sockets is refused with 2`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["coordinator", "--data", folder.file(String(repeating: "x", count: 120))])
    #expect(result.code == 2)
    #expect(result.errors.contains("use a shorter --data"))
}

@Test(.waits) func `a service that is not there is told with 69 when the time is up`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["fetch", "demo", "--data", folder.path])
    #expect(result.code == 69)
    #expect(result.errors.contains("is forme serve running with the same --data or --listen?"))
}
