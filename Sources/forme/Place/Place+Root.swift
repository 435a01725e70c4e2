import Console
import Glibc
import Storage

extension DataFolder {
    /// Refuses a command as root in the folder of another user: files that root makes there are root's, and the
    /// service of that user could not start any more.
    func refuseRoot(to command: String) throws {
        guard let owner, let user = Place.owner(owner, noticedBy: geteuid()) else { return }
        throw Failure(
            .inputOutput,
            "\(path) belongs to \(user), and what root makes there \(user) cannot write; run this as that user: "
                + "sudo -u \(user) forme \(command) …")
    }
}

extension Place {
    func refuseRoot() throws { try folder.refuseRoot(to: command) }

    /// Name of the user whose folder it is, where root is at work in it; nil where that is right.
    static func owner(_ owner: uid_t, noticedBy user: uid_t) -> String? {
        guard user == 0, owner != 0 else { return nil }
        return Ownership.name(of: owner)
    }
}
