/// Why a socket could not be opened or used.
package enum TransportError: Error, Equatable, Sendable {
    /// Another process listens there.
    case taken(endpoint: String)
    /// libzmq cannot make an address of this text.
    case badEndpoint(String)
    /// A path for ipc is longer than the kernel takes.
    case pathTooLong(endpoint: String, limit: Int)
    case notPermitted(endpoint: String)
    /// Anything else that libzmq or the kernel answered, with the call and the number.
    case system(call: String, code: Int32, endpoint: String)
}
