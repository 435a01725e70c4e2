import Console
import Daemons
import Names
import Replication
import Settings
import Transport

/// `--cluster`: the other hosts that have the same messages.
enum ClusterOption {
    static let name = "cluster"
    private static let (host, engine, hosts, partitions) = ("host", "engine", "hosts", "partitions")
    static let names = [name, host, engine, hosts, partitions]
    static let usage = """
          --cluster NAME       this host is one of several, of which each has all messages (forme help cluster); off for one that is alone
          --host NAME          the name of this one in --hosts
          --hosts NAME=HOST:PORT,…   where each of them hears the others
          --engine URL,URL,…   nodes of etcd, http://HOST:PORT, which have the log of the cluster; or one address of PostgreSQL,
                               postgresql://USER@HOST,HOST/DATABASE
          --partitions N       parts of the log, each with an owner of its own, which hosts share; it stays as it was at the beginning (1)
        """

    static func read(_ arguments: Arguments, into cluster: inout ClusterSettings?) throws {
        guard names.contains(where: { arguments.text($0) != nil }) else { return }
        guard arguments.text(name) != "off" else { return cluster = nil }
        var own = cluster ?? ClusterSettings(name: "", host: "", engine: [], hosts: [:])
        if let text = arguments.text(name) { own.name = text }
        if let text = arguments.text(host) { own.host = text }
        if let text = arguments.text(engine) {
            // Commas of an address of PostgreSQL are its own.
            own.engine = text.hasPrefix("postgres") ? [text] : text.split(separator: ",").map(String.init)
        }
        if let text = arguments.text(hosts) { own.hosts = try addresses(text, arguments) }
        if arguments.text(partitions) != nil {
            own.partitions = try arguments.integer(
                partitions, in: 1...ClusterSettings.mostPartitions, default: own.partitions)
        }
        if let objection = own.objection { throw arguments.refusal(objection) }
        cluster = own
    }

    private static func addresses(_ text: String, _ arguments: Arguments) throws -> [String: String] {
        var hosts: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, hosts[pair[0]] == nil else {
                throw arguments.refusal("--hosts takes NAME=HOST:PORT,NAME=HOST:PORT,…, not '\(text)'")
            }
            hosts[pair[0]] = pair[1]
        }
        return hosts
    }
}

extension Place {
    /// Name of the key of this host, in the folder of its keys.
    static let hostKey = "host"

    /// Its place among other hosts; nil where it is alone.
    func cluster() throws -> ClusterPlace? {
        guard let own = configuration.cluster else { return nil }
        var hosts: [HostID: String] = [:]
        for (name, address) in own.hosts { hosts[try HostID(name)] = "tcp://\(address)" }
        let calling = try calling(hosts.values.first ?? "", as: Self.hostKey)
        let (host, log) = (try HostID(own.host), try ClusterEngine(own))
        var place = ClusterPlace(name: own.name, host: host, hosts: hosts, calling: calling) { try log.open() }
        place.partitions = own.partitions
        return place
    }
}
