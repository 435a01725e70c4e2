import Bytes
package import Pool

/// The place of a record in the log of its partition, from 1; 0 is before the first.
package struct LogSequence: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: LogSequence, b: LogSequence) -> Bool { a.number < b.number }
    package static let zero = LogSequence(0)
    package var next: LogSequence { LogSequence(number + 1) }
}

/// The number of an owner of a partition, which rises with each claim. It decides nothing by itself: a claim is an
/// append like any other.
package struct Reign: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: Reign, b: Reign) -> Bool { a.number < b.number }
    package static let zero = Reign(0)
    package var next: Reign { Reign(number + 1) }
}

/// The name of all of a log up to a record: a checksum of the record's bytes, which have the link of the record
/// before in them. The bytes are sealed, so that the checksum says nothing about their contents.
package struct ChainLink: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static let start = ChainLink(0)

    /// The link behind a record.
    package init(behind bytes: [UInt8]) {
        var sum = Checksum(seed: 0x464F_524D_454C_4F47)
        sum.add(bytes)
        number = sum.wide
    }
}

/// A record of the log as a journal remembers it: its place, the link up to it, its reign and owner, and the place
/// where the journal goes on behind it.
package struct LogAnchor: Equatable, Sendable {
    package var sequence: LogSequence
    package var link: ChainLink
    package var reign: Reign
    /// The host that claimed last; nil before the first claim.
    package var owner: HostID?
    /// The place of the journal's next entry.
    package var next: LogPosition

    package init(sequence: LogSequence, link: ChainLink, reign: Reign, owner: HostID?, next: LogPosition) {
        (self.sequence, self.link, self.reign) = (sequence, link, reign)
        (self.owner, self.next) = (owner, next)
    }

    /// The anchor of an empty journal, before the first record.
    package static let start = LogAnchor(
        sequence: .zero, link: .start, reign: .zero, owner: nil, next: LogPosition(0))
}

/// The anchors of a journal, from the one before the first record that the log may still have. With them a journal
/// knows of a log that an engine could forget. The trail is never empty.
package struct AnchorTrail: Equatable, Sendable {
    private var anchors: [LogAnchor]

    package init(from first: LogAnchor = .start) { anchors = [first] }

    package var first: LogAnchor { anchors[0] }
    package var last: LogAnchor { anchors[anchors.count - 1] }
    package var count: Int { anchors.count }

    package func anchor(at sequence: LogSequence) -> LogAnchor? {
        guard sequence >= first.sequence, sequence <= last.sequence else { return nil }
        return anchors[Int(sequence.number - first.sequence.number)]
    }

    /// Puts an anchor behind the one before it; later ones go.
    package mutating func append(_ anchor: LogAnchor) {
        cut(after: LogSequence(anchor.sequence.number - 1))
        precondition(anchor.sequence == last.sequence.next, "a record was left out")
        anchors.append(anchor)
    }

    package mutating func cut(after sequence: LogSequence) {
        guard sequence < last.sequence, sequence >= first.sequence else { return }
        anchors.removeLast(Int(last.sequence.number - sequence.number))
    }

    /// Drops the anchors before this record, behind which the log begins.
    package mutating func drop(before sequence: LogSequence) {
        guard sequence > first.sequence else { return }
        anchors.removeFirst(min(anchors.count - 1, Int(sequence.number - first.sequence.number)))
    }
}
