package import Replication

/// A complaint to an operator about an engine that does not do what it should. Its text says where, and what to do.
package enum EtcdComplaint: Equatable, Sendable {
    case unreached(String, why: String)
    case cut(String, why: String)
    case refused(String, status: Int, words: String)
    case redirected(String, status: Int)
    case unreadable(String, why: String)
    case otherCluster(String, known: UInt64, found: UInt64)
    case forgot(String, known: UInt64, found: UInt64)
    case gap(String, Partition)
    case tooLarge(String, bytes: Int)
    case full(String)
}

extension EtcdComplaint: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreached(let url, let why): "\(url) cannot be reached: \(why); is etcd running there?"
        case .cut(let url, let why): "\(url) did not answer to the end: \(why)"
        case .refused(let url, let status, let words): "\(url) answered \(status): \(words)"
        case .redirected(let url, let status):
            "\(url) answered \(status) and sends elsewhere, where nobody goes; give the address of etcd itself"
        case .unreadable(let url, let why):
            "\(url) answered what etcd does not say (\(why)); give the address of an etcd from 3.4 on"
        case .otherCluster(let url, let known, let found):
            "\(url) is of another cluster (\(hex(found))) than the one that was asked first (\(hex(known))), and is not "
                + "used; give the addresses of one etcd alone, and restart this host where that etcd was made anew"
        case .forgot(let url, let known, let found):
            "\(url) is at revision \(found), and was at \(known): etcd has forgotten what it had; hosts bring back what "
                + "their journals have"
        case .gap(let url, let partition):
            "\(url) has a log of partition \(partition.number) with gaps; who else writes below this name?"
        case .tooLarge(let url, let bytes):
            "\(url) takes no request of \(bytes) bytes; start etcd with --max-request-bytes 1572864, or more"
        case .full(let url):
            "\(url) has no room (its quota is reached); nothing is accepted until logs are trimmed. Start etcd with a larger "
                + "--quota-backend-bytes if it happens again"
        }
    }

    private func hex(_ number: UInt64) -> String { String(number, radix: 16) }
}

/// The reason why no etcd can be asked at all.
package enum EtcdError: Error, Equatable, Sendable, CustomStringConvertible {
    case clusterName(String)
    case address(String)
    case noAddress
    case library(String)

    package var description: String {
        switch self {
        case .clusterName(let name):
            "'\(name)' is no name of a cluster; choose up to 63 of the letters a to z, digits, '-', '_' and '.'"
        case .address(let address):
            "'\(address)' is no address of etcd; give http://HOST:PORT or https://HOST:PORT, such as http://10.0.0.1:2379"
        case .noAddress: "no address of etcd is given; give those of its nodes, such as http://10.0.0.1:2379"
        case .library(let why): "libcurl cannot be used: \(why)"
        }
    }
}
