import Foundation

/// A program that becomes the user nobody, and then the one that follows.
let nobody = ["/usr/bin/setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"]

func asNobody(_ words: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: nobody[0])
    process.arguments = nobody.dropFirst() + words
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
}

/// Whether a test can become the user nobody: only root can, and nobody has to reach the program, too.
let canBecomeNobody =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: nobody[0])
    && (try? asNobody(["test", "-x", Command.binary.path])) == 0
