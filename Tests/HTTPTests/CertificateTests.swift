import Foundation
import HTTP
import TestSupport
import Testing

/// A key and a certificate for it, as somebody who sets up a server makes them.
private func makeCertificate(
    in folder: TemporaryFolder, name: String = "server", called subject: String = "localhost"
) throws -> ServerOptions.Certificate {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
        ]
        + ["-subj", "/CN=\(subject)", "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem")]
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
    #expect(try curl(stage, certificate) == "hello")
}

@Test func `over TLS, too, a length that cannot be read is refused with one head`() throws {
    let folder = try TemporaryFolder()
    let certificate = try makeCertificate(in: folder)
    let stage = try Stage { $0.certificate = certificate }
    let answer = try curl(stage, certificate, "-i", "-X", "POST", "-H", "Content-Length: +2")
    #expect(answer.hasPrefix("HTTP/1.1 400") && answer.matches(of: /HTTP\/1/).count == 1, "\(answer)")
    #expect(try curl(stage, certificate) == "hello")
}

/// The output of curl.
private func curl(_ stage: Stage, _ certificate: ServerOptions.Certificate, _ options: String...) throws -> String {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments =
        ["curl", "-sS", "--cacert", certificate.path, "https://localhost:\(stage.server.port)/"]
        + ["--resolve", "localhost:\(stage.server.port):127.0.0.1"] + options
    curl.standardOutput = output
    try curl.run()
    try stage.until { !curl.isRunning }
    return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
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

/// The output of openssl for a handshake with these words.
private func handshake(with stage: Stage, _ words: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "s_client", "-connect", "127.0.0.1:\(stage.server.port)"] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try stage.until { !process.isRunning }
    return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
}

@Test(arguments: [
    (["-tls1"], false), (["-tls1_1"], false), (["-tls1_2"], true), (["-tls1_3"], true),
    (["-tls1_2", "-cipher", "AES128-SHA"], false), (["-tls1_2", "-cipher", "AES256-GCM-SHA384"], false),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"], false),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384"], false),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"], true),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"], true),
])
func `speaks TLS 1.2 and 1.3 with suites that are sound, and nothing else`(words: [String], isSound: Bool) throws {
    let folder = try TemporaryFolder()
    let certificate = try makeCertificate(in: folder)
    let stage = try Stage { $0.certificate = certificate }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // At level 0 openssl itself would accept the words that are refused here.
    process.arguments =
        ["openssl", "s_client", "-connect", "127.0.0.1:\(stage.server.port)"]
        + words.map {
            $0.contains("SHA") || $0.contains("CHACHA") ? $0 + ":@SECLEVEL=0" : $0
        } + (words.contains("-cipher") ? [] : ["-cipher", "ALL:@SECLEVEL=0"])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try stage.until { !process.isRunning }
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect((said.contains("BEGIN CERTIFICATE") && !said.contains("Cipher is (NONE)")) == isSound, "\(said)")
}

@Test func `a certificate that is replaced is shown from then on, and a pair that is none is told`() throws {
    let folder = try TemporaryFolder()
    let certificate = try makeCertificate(in: folder)
    let stage = try Stage { $0.certificate = certificate }
    func subject() throws -> String {
        let lines = try handshake(with: stage).split(separator: "\n")
        return String(lines.first { $0.hasPrefix("subject=") } ?? "none")
    }
    #expect(try subject().contains("localhost"))
    let other = try makeCertificate(in: folder, name: "other", called: "renewed")
    // A tool that renews does so: one file after the other.
    #expect(unsafe rename(other.path, certificate.path) == 0)
    try stage.until { stage.server.certificateTrouble != nil }
    #expect(try subject().contains("localhost"))
    #expect(unsafe rename(other.key, certificate.key) == 0)
    try stage.until { stage.server.certificateTrouble == nil }
    #expect(try subject().contains("renewed"))
}
