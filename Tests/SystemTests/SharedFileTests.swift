import Foundation
import TestSupport
import Testing

/// Runs a program in a folder.
private func run(
    _ program: String, _ arguments: [String], in folder: String, input: String = ""
) throws -> (code: Int32, output: String, errors: String) {
    let process = Process()
    let (given, output, errors) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(filePath: program)
    process.currentDirectoryURL = URL(filePath: folder)
    process.arguments = arguments
    (process.standardInput, process.standardOutput, process.standardError) = (given, output, errors)
    try process.run()
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: printed, as: UTF8.self), String(decoding: said, as: UTF8.self))
}

/// A program as a package installs it: in `bin`, with what comes with it in `share/forme`.
private func installed(in folder: TemporaryFolder, share: String) throws -> String {
    let program = folder.file("bin/forme")
    try FileManager.default.createDirectory(atPath: folder.file("bin"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Command.binary.path, toPath: program)
    try FileManager.default.createDirectory(atPath: folder.file(share), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
        atPath: Project.file("config").path, toPath: folder.file("\(share)/config"))
    return program
}

@Test(.waits, arguments: ["share/forme", "bin"])
func `styles and fonts that come with the program are found from any folder`(share: String) throws {
    let folder = try TemporaryFolder()
    let program = try installed(in: folder, share: share)
    let elsewhere = try TemporaryFolder()
    let message = #"{"kind": "text", "text": "Hi"}"#
    let plain = try run(program, ["layout", "--target", "375@3"], in: elsewhere.path, input: message)
    #expect(plain.code == 0 && plain.output.contains("\"size\""), "\(plain.errors)")
    let flat = try run(
        program, ["layout", "--target", "375@3", "--style", "config/styles/flat.json5"], in: elsewhere.path,
        input: message)
    #expect(flat.code == 0 && flat.output != plain.output)
    #expect(try run(program, ["config", "check"], in: elsewhere.path).code == 0)
    let gallery = try run(program, ["gallery", "--output", "all.html"], in: elsewhere.path)
    #expect(gallery.code == 0, "\(gallery.errors)")
}

@Test(.waits) func `what stands in the folder at hand goes before what comes with the program`() throws {
    let folder = try TemporaryFolder()
    let program = try installed(in: folder, share: "share/forme")
    let own = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: own.file("config"), withIntermediateDirectories: true)
    try "[".write(toFile: own.file("config/fonts.json5"), atomically: true, encoding: .utf8)
    let answer = try run(
        program, ["layout", "--target", "375@3"], in: own.path, input: #"{"kind": "text", "text": "Hi"}"#)
    #expect(answer.code != 0 && answer.errors.contains("config/fonts.json5:1"))
    let nowhere = try run(program, ["layout", "--style", "config/styles/none.json5"], in: own.path, input: "{}")
    #expect(nowhere.code == 74 && nowhere.errors.contains("config/styles/none.json5 cannot be read"))
}
