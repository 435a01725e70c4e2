import Transport

/// The services that a flood may load. It exists to bring a service to its limits, so it goes to this machine, or to
/// one that the user declares in words to be theirs.
package enum LoadTarget {
    /// The reason why the endpoint is refused; nil when it may be flooded.
    ///
    /// - Parameter owned: the host that the user vouches for.
    package static func refusal(of endpoint: String, owned: String?) -> String? {
        if [.file, .loopback].contains(Locality(endpoint)) { return nil }
        let host = host(of: endpoint)
        guard host != owned else { return nil }
        return "\(host) is another machine, and a flood is made to overload what it reaches; "
            + "if it is yours to overload, say --i-own-this-host \(host)"
    }

    static func host(of endpoint: String) -> String {
        let address = endpoint.hasPrefix("tcp://") ? endpoint.dropFirst(6) : endpoint[...]
        guard let colon = address.lastIndex(of: ":") else { return String(address) }
        return String(address[..<colon])
    }
}
