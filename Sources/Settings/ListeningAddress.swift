import Wire

/// A TCP address that a service listens at, and the setting that says so.
package struct ListeningAddress: Equatable, Sendable {
    /// The name of the setting in a sentence: `http.listen`, or `listen (fetch, of five ports from 7300 on)`.
    package let setting: String
    /// As `HOST:PORT`.
    package let address: String
    package let listener: Listener

    /// The process that listens there, and its protocol.
    package enum Listener: Equatable, Sendable {
        case coordinator
        /// Another user may run it.
        case gateway
        /// The gateway, over HTTP.
        case web
    }

    init(_ setting: String, _ address: String, _ listener: Listener) {
        (self.setting, self.address, self.listener) = (setting, address, listener)
    }

    private var parts: (host: String, port: Substring) {
        let colon = address.lastIndex(of: ":") ?? address.startIndex
        let host = address[..<colon]
        return (host == "localhost" ? "127.0.0.1" : String(host), address[colon...].dropFirst())
    }

    /// Whether this is the address of all interfaces, which takes the port of every single one.
    private var isOfAllHosts: Bool { ["0.0.0.0", "[::]", "*"].contains(parts.host) }

    /// Whether only one of the two can be listened at.
    func overlaps(_ other: ListeningAddress) -> Bool {
        parts.port == other.parts.port && (parts.host == other.parts.host || isOfAllHosts || other.isOfAllHosts)
    }
}

extension Configuration {
    /// All TCP addresses that a service listens at, its gateway's included.
    package var listeningAddresses: [ListeningAddress] {
        var all: [ListeningAddress] = []
        let endpoints = listen.endpoints(folder: data)
        for (name, endpoint) in [
            ("events", endpoints.events), ("workers", endpoints.workers), ("ready", endpoints.ready),
            ("fetch", endpoints.fetch), ("operators", endpoints.operators),
        ] where endpoint.hasPrefix("tcp://") {
            let setting =
                if case .everywhere(.address(let first)) = listen {
                    "listen (\(name), of five ports from \(first.split(separator: ":").last ?? "") on)"
                } else {
                    "listen.\(name)"
                }
            all.append(
                ListeningAddress(setting, String(endpoint.dropFirst(6)), name == "fetch" ? .gateway : .coordinator))
        }
        if let remotes { all.append(ListeningAddress("remotes", remotes, .coordinator)) }
        if let cluster, let own = cluster.hosts[cluster.host] {
            all.append(ListeningAddress("cluster.hosts.\(cluster.host)", own, .coordinator))
        }
        if let clients = http.listen { all.append(ListeningAddress("http.listen", clients, .web)) }
        if let metrics { all.append(ListeningAddress("metrics", metrics, .web)) }
        return all
    }
}

extension [ListeningAddress] {
    /// The reason why these cannot all be listened at; nil where they can.
    package var overlap: String? {
        for (index, one) in enumerated() {
            guard let other = self[..<index].first(where: one.overlaps) else { continue }
            let place = one.address == other.address ? one.address : "at the port of \(one.address)"
            return
                "\(other.setting) and \(one.setting) are both \(place); give one of them another port, with its option or in the configuration"
        }
        return nil
    }
}
