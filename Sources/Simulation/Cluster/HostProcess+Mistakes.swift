import Names
import Replication

// A bug: an owner with nothing of its own on the way reads who claimed behind it, and goes on as if it had not. To its replica that claim is
// its own, and so is what the other host says behind it until it has said something itself; so it stays what it was, under the other's
// reign. On its disk is what the log says.
extension HostProcess {
    /// A record as the replica is told of it.
    mutating func mistaken(_ entry: LogEntry, _ partition: Int) -> LogEntry {
        let replica = replicas[partition]
        guard entry.record.head.host != replica.host else { return entry }
        var mistaken = entry
        mistaken.record.head.host = replica.host
        let isUnderIt = entry.record.head.reign == replica.read.reign
        let isLikeTheLast = isUnderIt && mistakes[partition][replica.read.sequence] != nil
        guard isLikeTheLast || goesOn(replica, behind: mistaken) else { return entry }
        mistakes[partition][entry.sequence] = entry.record.head.host
        return mistaken
    }

    /// True of an owner that stays one when it is told so. It does not where its own record was to stand there.
    private func goesOn(_ replica: Replica, behind entry: LogEntry) -> Bool {
        guard replica.standing == .owning, case .claim = entry.record.body else { return false }
        var replica = replica
        _ = replica.handle(.entry(entry))
        return replica.standing == .owning && replica.read.sequence == entry.sequence
    }

    /// An anchor with the owner that the log names.
    func corrected(_ anchor: LogAnchor, _ partition: Int) -> LogAnchor {
        var anchor = anchor
        if let owner = mistakes[partition][anchor.sequence] { anchor.owner = owner }
        return anchor
    }
}
