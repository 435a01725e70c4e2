import Glibc

/// The owner of a file that this user may not open, or of the innermost of its folders that can be looked at.
package struct Ownership: Equatable, Sendable {
    package let path: String
    /// The name of the owner, as `sudo -u` takes it.
    package let user: String
    package let isOwn: Bool

    /// Nil where nothing of the path is there, or can be looked at.
    package init?(of path: String) {
        var (path, facts) = (path, stat())
        while unsafe stat(path, &facts) != 0 {
            guard errno == EACCES, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
            path = String(path[..<slash])
        }
        (self.path, user, isOwn) = (path, Self.name(of: facts.st_uid), facts.st_uid == geteuid())
    }

    package static func name(of user: UInt32) -> String {
        unsafe getpwuid(user).map { unsafe String(cString: $0.pointee.pw_name) } ?? "'#\(user)'"
    }
}

extension Failure {
    /// The failure for a file or a socket that this user may not open: it says whose that is.
    ///
    /// - Parameters:
    ///   - name: the file or the endpoint, as the user knows it.
    ///   - other: the advice for those who cannot be that user.
    package static func forbidden(
        _ name: String, at path: String, or other: String = "check its owner and mode"
    ) -> Failure {
        let words = "\(name) may not be opened by this user"
        guard let owner = Ownership(of: path), !owner.isOwn else {
            return Failure(.inputOutput, "\(words); run this as the user of the service, or \(other)")
        }
        let whose = owner.path == path ? "it belongs" : "\(owner.path) belongs"
        return Failure(
            .inputOutput,
            "\(words): \(whose) to \(owner.user); run this as that user (sudo -u \(owner.user) forme …), or \(other)")
    }
}
