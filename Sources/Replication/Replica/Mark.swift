import Pool
import Wire

/// A host's report about its replica, sent to the others several times a second. Marks get lost, and come late: no
/// safety depends on them but in trimming and in the choice of a key, and there a mark says what is on a disk.
package struct Mark: Equatable, Sendable {
    package var host: HostID
    package var partition: Partition
    /// The anchor of the last record that its journal has.
    package var anchor: LogAnchor
    /// The keys that are on its disk, and the last that was wiped.
    package var keys: [KeyNumber]
    package var wiped: KeyNumber
    /// Whether it cannot go on by reading.
    package var isLost: Bool

    package init(
        host: HostID, partition: Partition, anchor: LogAnchor, keys: [KeyNumber], wiped: KeyNumber, isLost: Bool
    ) {
        (self.host, self.partition, self.anchor) = (host, partition, anchor)
        (self.keys, self.wiped, self.isLost) = (keys, wiped, isLost)
    }
}

/// The marks that were heard of the other hosts.
struct Marks: Equatable, Sendable {
    struct Heard: Equatable, Sendable {
        var mark: Mark
        var at: Moment
    }

    private(set) var heard: [HostID: Heard] = [:]
    /// The time at which any of them was last heard.
    private(set) var last: Moment
    /// The time at which the own one is told next.
    private var next: Moment

    init(from start: Moment) { (last, next) = (start, start) }

    /// Whether the own mark is due; it is told then.
    mutating func isDue(at now: Moment, every pause: Duration) -> Bool {
        guard now >= next else { return false }
        next = now + pause
        return true
    }

    mutating func take(_ mark: Mark, at now: Moment) {
        heard[mark.host] = Heard(mark: mark, at: now)
        last = now
    }

    /// Returns the last mark of a host, and its age.
    func said(of host: HostID, at now: Moment) -> (host: HostID, mark: Mark?, before: Duration?) {
        (host, heard[host]?.mark, heard[host].map { now.sinceStart - $0.at.sinceStart })
    }

    /// Returns the owner of the log by the mark with the newest reign, of those that were heard lately.
    func owner(within time: Duration, at now: Moment) -> HostID? {
        live(within: time, at: now).max { $0.anchor.reign < $1.anchor.reign }?.anchor.owner
    }

    /// Returns the place up to which every host has the log on its disk, and at least two have; an owner has it up to
    /// its end. A host that was not heard for long is not waited for, and copies when it comes back.
    func held(
        by hosts: [HostID], along trail: AnchorTrail, upTo end: LogSequence, within absence: Duration,
        since start: Moment, at now: Moment
    ) -> LogSequence? {
        var (least, holders) = (end, 1)
        for host in hosts {
            guard let heard = heard[host], now - absence <= heard.at else {
                // Nobody knows yet whether it is away.
                if now - absence <= start { return nil }
                continue
            }
            if heard.mark.isLost { continue }
            let anchor = heard.mark.anchor
            // A host that has another log behind the same place will find that out.
            guard let known = trail.anchor(at: anchor.sequence), known.link == anchor.link else { return nil }
            least = min(least, anchor.sequence)
            holders += 1
        }
        return holders > 1 || hosts.isEmpty ? least : nil
    }

    /// Returns the marks of hosts that were heard lately and can go on by reading.
    func live(within time: Duration, at now: Moment) -> [Mark] {
        heard.values.filter { now - time <= $0.at && !$0.mark.isLost }.map(\.mark).sorted { $0.host < $1.host }
    }
}
