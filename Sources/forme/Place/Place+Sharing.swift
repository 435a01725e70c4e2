import Console
import Glibc
import Settings
import Storage
import Wire

/// A gateway that faces the internet as a user of its own, who reads rows and no secret.
extension Place {
    /// The group of that user; nil where there is none, and the folder is for one user alone.
    private func gatewayGroup() throws -> gid_t? {
        guard let name = configuration.security.gatewayGroup else { return nil }
        guard let group = unsafe getgrnam(name) else {
            throw Failure(.usage, "security.gatewayGroup: there is no group '\(name)' on this machine")
        }
        guard [endpoints.events, endpoints.ready, endpoints.fetch].allSatisfy({ $0.hasPrefix("tcp://") }) else {
            throw Failure(
                .usage,
                "security.gatewayGroup: sockets in the folder are for its owner; set listen to HOST:PORT, such as 127.0.0.1:7300"
            )
        }
        return unsafe group.pointee.gr_gid
    }

    /// Lets the group of the gateway read files that this process makes from now on.
    func openMask() throws {
        if try gatewayGroup() != nil { DataFolder.letGroupRead() }
    }

    /// Makes the folder where it is missing, and opens it to its users. Returns whether it had to be closed to
    /// others.
    func prepareFolder() throws -> Bool {
        let group = try gatewayGroup()
        let isClosed = try folder.create()
        guard let group else { return isClosed }
        do throws(StorageError) {
            try folder.share(with: group)
        } catch {
            guard case .notAccessible(let path, let code) = error, code == EPERM else { throw error }
            let name = configuration.security.gatewayGroup ?? ""
            throw Failure(
                .usage,
                "\(path) cannot be given to the group '\(name)': this user has to own it, and be in the group (usermod -aG \(name))"
            )
        }
        return isClosed
    }

    /// Makes the folder for a gateway, unless the gateway only reads the folder of another user.
    func enterFolder() throws {
        if configuration.security.gatewayGroup != nil, folder.isForeign { return }
        try folder.create()
    }
}
