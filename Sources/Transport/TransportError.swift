/// The reason why a socket could not be opened or used.
package enum TransportError: Error, Equatable, Sendable {
    /// Another process listens there.
    case taken(endpoint: String)
    /// No network of this machine has the address.
    case notHere(endpoint: String)
    /// libzmq cannot make an address of this text.
    case badEndpoint(String)
    /// A path for ipc is longer than the kernel takes.
    case pathTooLong(endpoint: String, limit: Int)
    case notPermitted(endpoint: String)
    /// Nothing is encrypted there, and it can be reached from outside this machine.
    case unprotected(endpoint: String)
    /// The service knows the key, and does not admit it there.
    case notAdmitted(endpoint: String)
    /// The process that answers does not have the key that the service is known by, or none at all.
    case wrongServerKey(endpoint: String)
    /// One of the two uses keys, and the other does not.
    case otherSecurity(endpoint: String)
    /// This process has more memory than it may, and nobody is left to be cut off.
    case outOfMemory(bytes: Int, ceiling: Int)
    /// Anything else that libzmq or the kernel answered, with the call and the number.
    case system(call: String, code: Int32, endpoint: String)
}
