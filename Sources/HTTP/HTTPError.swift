import Glibc

/// The reason why a server could not start. Its text says what to do.
package enum HTTPError: Error, Equatable, Sendable {
    case badAddress(String)
    case addressTaken(String)
    case notPermitted(address: String)
    case addressNotHere(String)
    /// The limit of open files is below what so many connections need.
    case tooFewFiles(limit: UInt64, needed: UInt64)
    case unreadable(path: String, code: Int32)
    /// Users other than its owner may read the key.
    case exposedKey(path: String)
    case badCertificate(path: String, key: String)
    case system(call: String, code: Int32)
}

extension HTTPError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badAddress(let address):
            "'\(address)' is not an address to listen at; give HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080"
        case .addressTaken(let address):
            "\(address) is taken; is another server running there? Stop it, or choose another port"
        case .notPermitted(let address):
            "\(address) may not be listened at by this user; choose a port from 1024 on"
        case .addressNotHere(let address):
            "\(address) is no address of this machine; choose one that 'ip address' lists"
        case .tooFewFiles(let limit, let needed):
            "this process may open \(limit) files and needs \(needed); raise 'ulimit -n' (LimitNOFILE), or lower http.connections"
        case .unreadable(let path, let code):
            "\(path) cannot be read: \(unsafe String(cString: strerror(code))); check the path and its owner"
        case .exposedKey(let path): "\(path) can be read by others than its owner; run: chmod 600 \(path)"
        case .badCertificate(let path, let key):
            "\(path) and \(key) are not a certificate chain and its key; both must be PEM, and belong together"
        case .system(let call, let code): "\(call) failed: \(unsafe String(cString: strerror(code)))"
        }
    }
}
