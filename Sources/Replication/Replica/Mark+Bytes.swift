package import Bytes
import Names
import Pool
package import Wire

/// A mark as hosts send it, without the name of its host, which stands before it in a word: partition (2), sequence,
/// link, reign (8 each), owner (text, empty before the first claim), next (8), wiped (8), lost (1: 0 no, 1 yes, 2 it
/// makes way), number of keys (2), and these (8 each).
extension Mark {
    package func write(to writer: inout ByteWriter) {
        writer.integer(partition.number)
        writer.value(anchor.sequence)
        writer.integer(anchor.link.number)
        writer.value(anchor.reign)
        writer.text(anchor.owner?.text ?? "")
        writer.value(anchor.next)
        writer.value(wiped)
        let lost: UInt8 = isLost ? (makesWay ? 2 : 1) : 0
        writer.integer(lost)
        // The newest, where a disk has more than a ring admits.
        let named = keys.suffix(KeyRing.most)
        writer.integer(UInt16(named.count))
        for key in named { writer.value(key) }
    }

    package init(of host: HostID, from reader: inout ByteReader) throws(ByteError) {
        let partition = Partition(try reader.integer())
        let (sequence, link) = (try reader.value(LogSequence.self), ChainLink(try reader.integer()))
        let reign = try reader.value(Reign.self)
        let owner = try reader.text(atMost: Limits.name, of: "owner")
        let anchor = LogAnchor(
            sequence: sequence, link: link, reign: reign, owner: owner.isEmpty ? nil : try HostID(owner),
            next: try reader.value())
        let wiped = try reader.value(KeyNumber.self)
        let lost = try reader.integer(in: 0...2 as ClosedRange<UInt8>, of: "lost")
        var keys: [KeyNumber] = []
        for _ in 0..<(try reader.integer(in: 0...UInt16(KeyRing.most), of: "keys")) {
            keys.append(try reader.value())
        }
        self.init(
            host: host, partition: partition, anchor: anchor, keys: keys, wiped: wiped, isLost: lost > 0,
            makesWay: lost == 2)
    }
}
