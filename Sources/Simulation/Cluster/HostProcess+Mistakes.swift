import Names
import Replication

// A bug: an owner with nothing of its own on the way reads another host's claim behind it, and goes on as if it had
// not. To its replica the claim is its own, and so are the other host's records behind it, until the replica has
// written something itself. So it stays an owner, under the other's reign. Its disk has what the log has.
extension HostProcess {
    /// A record as the replica hears of it.
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

    /// Whether an owner stays one when it hears this. It does not if its own record was to stand there.
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
