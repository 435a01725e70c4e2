import Etcd
import Foundation
import Replication
import TestSupport
import Testing

/// One node that lets nobody in without a certificate, and a certificate that is the node's, the client's and its own
/// authority.
private final class ClosedNode {
    let url: String
    private let folder: TemporaryFolder
    private let leash = Pipe()
    private let shell = Process()

    init() throws {
        folder = try TemporaryFolder()
        let port = try Ports.row(of: 2)
        url = "https://127.0.0.1:\(port)"
        for name in ["own", "other"] { try makeCertificate(name) }
        let peer = "http://127.0.0.1:\(port + 1)"
        let options = [
            "--data-dir", folder.file("data"), "--listen-client-urls", url, "--advertise-client-urls", url,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "default=\(peer)",
            "--cert-file", folder.file("own.pem"), "--key-file", folder.file("own.key"), "--client-cert-auth",
            "--trusted-ca-file", folder.file("own.pem"),
        ]
        shell.executableURL = URL(filePath: "/bin/sh")
        let script = #""$@" </dev/null >/dev/null 2>&1 & cat >/dev/null; kill -9 $! 2>/dev/null"#
        shell.arguments = ["-c", script, "sh", "/usr/bin/etcd"] + options
        shell.standardInput = leash
        try shell.run()
    }

    deinit {
        leash.fileHandleForWriting.closeFile()
        // The folder goes next, and a node that still ran would write into it.
        if shell.isRunning { shell.waitUntilExit() }
    }

    private func makeCertificate(_ name: String) throws {
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.file("\(name).key"),
            "-out", folder.file("\(name).pem"),
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    func log(_ name: String?, trusting authority: String = "own") throws -> EtcdLog {
        let certificates = name.map {
            EtcdCertificates(
                authority: folder.file("\(authority).pem"), certificate: folder.file("\($0).pem"),
                key: folder.file("\($0).key"))
        }
        return try EtcdLog(of: "closed", at: [url], certificates: certificates)
    }
}

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `an etcd that asks for certificates is told one, and one that shows a wrong one is not believed`() throws {
    let node = try ClosedNode()
    var log = try node.log("own")
    try log.waitUntilItAnswers()
    let tail = try log.tail(of: Partition(0))
    #expect(tail == LogExtent(last: .zero, trimmed: .zero))
    for (name, authority) in [(nil, "own"), ("own", "other")] as [(String?, String)] {
        var stranger = try node.log(name, trusting: authority)
        let tail = try stranger.tail(of: Partition(0))
        let complaints = stranger.takeComplaints().map(\.description)
        #expect(tail == nil && complaints.contains { $0.hasPrefix(node.url) }, "\(complaints)")
    }
}
