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
    /// Whether nobody is to count on its journal: it cannot go on by reading, or makes way.
    package var isLost: Bool
    /// Whether it goes on by reading, and another journal may take the place of its own because of another log.
    package var makesWay: Bool

    package init(
        host: HostID, partition: Partition, anchor: LogAnchor, keys: [KeyNumber], wiped: KeyNumber, isLost: Bool,
        makesWay: Bool = false
    ) {
        (self.host, self.partition, self.anchor) = (host, partition, anchor)
        (self.keys, self.wiped, self.isLost, self.makesWay) = (keys, wiped, isLost, makesWay)
    }
}

/// The marks that were heard of the other hosts.
struct HeardMarks: Equatable, Sendable {
    struct Heard: Equatable, Sendable {
        var mark: Mark
        var at: Moment
        /// The time since which it is lost; nil where it is not.
        var lost: Moment?
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
        let lost = mark.isLost ? heard[mark.host]?.lost ?? now : nil
        heard[mark.host] = Heard(mark: mark, at: now, lost: lost)
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
    ///
    /// - Parameter isShort: whether the engine lacks room. Then one other host has to have it, and no more are waited
    ///   for: as long as they are, nobody takes events.
    func held(
        by hosts: [HostID], along trail: AnchorTrail, upTo end: LogSequence, _ limits: ReplicationLimits,
        isShort: Bool, since start: Moment, at now: Moment
    ) -> LogSequence? {
        var places: [LogSequence] = []
        for host in hosts {
            switch need(of: host, along: trail, limits, since: start, at: now) {
            case .behind(let place): places.append(place)
            case .unknown: if !isShort { return nil }
            case .nothing: break
            }
        }
        guard let place = isShort ? places.max() : places.min() else { return hosts.isEmpty ? end : nil }
        return min(place, end)
    }

    /// The part of the log that a host needs.
    private enum Need {
        case behind(LogSequence)
        case nothing
        case unknown
    }

    private func need(
        of host: HostID, along trail: AnchorTrail, _ limits: ReplicationLimits, since start: Moment, at now: Moment
    ) -> Need {
        let said = heard[host]
        // It copies a journal, and then reads on behind that.
        if let lost = said?.lost, now - limits.recovery <= lost { return .unknown }
        guard let said, now - limits.absence <= said.at else {
            // Nobody knows yet whether it is away.
            return now - limits.absence <= start ? .unknown : .nothing
        }
        let anchor = said.mark.anchor
        if said.mark.isLost { return .nothing }
        // A host that has another log behind the same place will find that out.
        guard let known = trail.anchor(at: anchor.sequence), known.link == anchor.link else { return .unknown }
        return .behind(anchor.sequence)
    }

    /// Returns the marks of hosts that were heard lately and can go on by reading.
    func live(within time: Duration, at now: Moment) -> [Mark] {
        heard.values.filter { now - time <= $0.at && !$0.mark.isLost }.map(\.mark).sorted { $0.host < $1.host }
    }
}
