import Foundation

/// The answer of a gateway to a request, as curl has it.
func curl(_ port: Int, _ path: String, _ options: [String]) throws -> (status: Int, body: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
        ["curl", "-sS", "-m", "20", "-w", "\n%{http_code}", "http://127.0.0.1:\(port)\(path)"] + options
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let end = said.lastIndex(of: "\n") ?? said.startIndex
    return (Int(said[end...].dropFirst()) ?? 0, String(said[..<end]))
}

func curl(_ port: Int, _ path: String, _ options: String...) throws -> (status: Int, body: String) {
    try curl(port, path, options)
}
