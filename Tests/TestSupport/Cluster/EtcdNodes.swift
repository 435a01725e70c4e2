import Foundation

/// Nodes of one etcd on 127.0.0.1, with ports that were free and data in a folder that goes with them. They end when
/// the tests do, however these end.
package final class EtcdNodes {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
    /// The message of a test that is skipped without etcd.
    package static let lack = "etcd is not installed (Debian's etcd-server); deploy/prepare test installs it"

    package let urls: [String]
    package let ports: [UInt16]
    private let peers: [UInt16]
    private let folder: TemporaryFolder
    private let quota: Int?
    private var nodes: [Node?]

    private static let program = "/usr/bin/etcd"

    /// A shell that starts a node, says its id, and kills it when nobody holds the other end of its input.
    private struct Node {
        let shell: Process
        let leash: Pipe
        let id: Int32
    }

    /// - Parameter quota: bytes of a node's data; nil for etcd's own, two gigabytes.
    package init(_ count: Int = 3, quota: Int? = nil) throws {
        // Bytes that a killed process has written stay either way, and a busy disk takes 50 ms for a sync that memory
        // does at once.
        let memory = "/dev/shm"
        folder = try TemporaryFolder(in: FileManager.default.isWritableFile(atPath: memory) ? memory : "/tmp")
        let all = try (0..<count * 2).map { _ in try Ports.one() }
        (ports, peers) = (Array(all.prefix(count)), Array(all.dropFirst(count)))
        urls = ports.map { "http://127.0.0.1:\($0)" }
        self.quota = quota
        nodes = ports.map { _ in nil }
        for node in ports.indices { try start(node) }
    }

    deinit { for node in nodes.indices { kill(node) } }

    package func start(_ node: Int) throws {
        let peer = "http://127.0.0.1:\(peers[node])"
        var arguments = [
            "--name", "n\(node)", "--data-dir", data(of: node), "--listen-client-urls", urls[node],
            "--advertise-client-urls", urls[node], "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", peers.enumerated().map { "n\($0)=http://127.0.0.1:\($1)" }.joined(separator: ","),
            "--initial-cluster-token", folder.path, "--heartbeat-interval", "50", "--election-timeout", "500",
        ]
        if let quota { arguments += ["--quota-backend-bytes", "\(quota)"] }
        let (shell, leash, output) = (Process(), Pipe(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        let script = #"log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!; cat >/dev/null; kill -9 $! 2>/dev/null"#
        shell.arguments = ["-c", script, "sh", folder.file("n\(node).log"), Self.program] + arguments
        // Settings of a service of this machine are not for these.
        shell.environment = ["PATH": "/usr/bin:/bin"]
        (shell.standardInput, shell.standardOutput) = (leash, output)
        try shell.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let id = Int32(said.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NoNode(said: said) }
        nodes[node] = Node(shell: shell, leash: leash, id: id)
    }

    package struct NoNode: Error {
        let said: String
    }

    /// Kills a node at once; its folder stays.
    package func kill(_ node: Int) {
        guard let running = nodes[node] else { return }
        signal(SIGKILL, node)
        running.leash.fileHandleForWriting.closeFile()
        running.shell.waitUntilExit()
        nodes[node] = nil
    }

    package func pause(_ node: Int) { signal(SIGSTOP, node) }
    package func goOn(_ node: Int) { signal(SIGCONT, node) }

    /// Removes the data of a node that was killed.
    package func wipe(_ node: Int) throws { try FileManager.default.removeItem(atPath: data(of: node)) }

    /// The end of a node's log.
    package func said(_ node: Int) -> String {
        String(
            decoding: (FileManager.default.contents(atPath: folder.file("n\(node).log")) ?? Data()).suffix(2000),
            as: UTF8.self)
    }

    private func data(of node: Int) -> String { folder.file("n\(node)") }

    private func signal(_ signal: Int32, _ node: Int) {
        if let id = nodes[node]?.id { Foundation.kill(id, signal) }
    }
}
