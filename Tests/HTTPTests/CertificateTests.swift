import Foundation
import HTTP
import TestSupport
import Testing

/// A key and a certificate for it, as somebody who sets up a server makes them.
private func makeCertificate(in folder: TemporaryFolder, name: String = "server") throws -> ServerOptions.Certificate {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
        ]
        + ["-subj", "/CN=localhost", "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    unsafe chmod(folder.file("\(name).key"), 0o600)
    return ServerOptions.Certificate(path: folder.file("\(name).pem"), key: folder.file("\(name).key"))
}

@Test func `answers over TLS where a certificate is given`() throws {
    let folder = try TemporaryFolder()
    let certificate = try makeCertificate(in: folder)
    let stage = try Stage { $0.certificate = certificate }
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments =
        ["curl", "-sS", "--cacert", certificate.path, "https://localhost:\(stage.server.port)/"]
        + ["--resolve", "localhost:\(stage.server.port):127.0.0.1"]
    curl.standardOutput = output
    try curl.run()
    try stage.until { !curl.isRunning }
    #expect(String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self) == "hello")
}

@Test func `a key that others may read is refused, and a pair that is none`() throws {
    let folder = try TemporaryFolder()
    let one = try makeCertificate(in: folder)
    let other = try makeCertificate(in: folder, name: "other")
    #expect(throws: HTTPError.badCertificate(path: one.path, key: other.key)) {
        try Stage { $0.certificate = .init(path: one.path, key: other.key) }
    }
    #expect(throws: HTTPError.unreadable(path: folder.file("none"), code: ENOENT)) {
        try Stage { $0.certificate = .init(path: folder.file("none"), key: one.key) }
    }
    unsafe chmod(one.key, 0o640)
    #expect(throws: HTTPError.exposedKey(path: one.key)) { try Stage { $0.certificate = one } }
}
