/// The hosts of a cluster, each with all messages, and the engine that has their log.
package struct ClusterSettings: Equatable, Sendable {
    package var name: String
    /// This host, one of `hosts`.
    package var host: String
    /// Addresses of nodes of the engine: `http://HOST:PORT`.
    package var engine: [String]
    /// `HOST:PORT` where each host hears the others.
    package var hosts: [String: String]
    /// Files in PEM form for an engine that speaks TLS (`https://HOST:PORT`): the authority that signed its
    /// certificates, and the certificate and key that this host shows it.
    package var certificates: Certificates?
    /// The number of partitions of the log, each with an owner of its own; it stays as it was at the beginning.
    package var partitions: Int
    package static let mostPartitions = 32

    package struct Certificates: Equatable, Sendable {
        package var authority: String
        package var certificate: String
        package var key: String
    }

    package init(
        name: String, host: String, engine: [String], hosts: [String: String], certificates: Certificates? = nil,
        partitions: Int = 1
    ) {
        (self.name, self.host, self.engine, self.hosts) = (name, host, engine, hosts)
        (self.certificates, self.partitions) = (certificates, partitions)
    }

    /// The reason why this cannot be a cluster; nil where it can.
    package var objection: String? {
        let isName = { (text: String) in
            !text.isEmpty && text.utf8.count <= 64
                && text.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                }
        }
        if !isName(name) { return "the name of a cluster has small letters, digits and dashes, not '\(name)'" }
        for host in hosts.keys.sorted() where !isName(host) {
            return "the name of a host has small letters, digits and dashes, not '\(host)'"
        }
        if hosts[host] == nil {
            return
                "the host '\(host)' is none of \(hosts.keys.sorted().joined(separator: ", ")), which the cluster has"
        }
        for (host, address) in hosts.sorted(by: { $0.key < $1.key })
        where !Listening.Place.isAddress(address, ports: 1) {
            return "the host '\(host)' has HOST:PORT, such as 10.0.0.1:7400, not '\(address)'"
        }
        if Set(hosts.values).count < hosts.count { return "two hosts of the cluster have one address" }
        guard (1...Self.mostPartitions).contains(partitions) else {
            return "the log of a cluster has 1 to \(Self.mostPartitions) partitions, not \(partitions)"
        }
        return engine.isEmpty ? "the cluster has no engine; name its nodes, such as http://10.0.0.1:2379" : nil
    }
}
