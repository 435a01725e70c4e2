import Replication

/// The keys of records in etcd: `forme/CLUSTER/log/PARTITION/PLACE`. The numbers are hexadecimal digits of one
/// length, so that keys are in the order of places.
///
/// The keys of a log have no gaps. The first is the place up to which the log was trimmed: the next record stands
/// behind it, and its value does not matter. So the first key and the number of keys say how far a log reaches, and a
/// trim writes nothing, which an etcd without room would refuse.
struct EtcdKeys: Equatable, Sendable {
    /// The prefix of all logs of the cluster.
    private let logs: [UInt8]

    private static let slash = UInt8(ascii: "/")

    /// Nil unless the name is letters, digits, `-`, `_` and `.`, and no longer than a label of a host.
    init?(cluster name: String) {
        let others = Array("-_.".utf8)
        let isPlain = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || others.contains($0)
        }
        guard isPlain, (1...63).contains(name.utf8.count) else { return nil }
        logs = Array("forme/\(name)/log/".utf8)
    }

    func key(_ partition: Partition, _ place: LogSequence) -> [UInt8] {
        prefix(of: partition) + Self.digits(place.number, 16)
    }

    /// The range of all keys that a log may have.
    func all(of partition: Partition) -> Range { Self.all(prefix(of: partition)) }

    func behind(_ place: LogSequence, of partition: Partition) -> Range {
        Range(from: key(partition, place) + [0], to: all(of: partition).to)
    }

    func before(_ place: LogSequence, of partition: Partition) -> Range {
        Range(from: all(of: partition).from, to: key(partition, place))
    }

    /// The range of all logs.
    var all: Range { Self.all(logs) }

    /// The keys from one up to another, which is not among them.
    struct Range: Equatable, Sendable {
        var from: [UInt8]
        var to: [UInt8]
    }

    /// Returns the partition and the place of a key; nil where it is no key of a record.
    func place(_ key: [UInt8]) -> (Partition, LogSequence)? {
        guard key.starts(with: logs), key.count == logs.count + 4 + 1 + 16, key[logs.count + 4] == Self.slash,
            let partition = Self.number(key[logs.count..<logs.count + 4]),
            let place = Self.number(key[(logs.count + 5)...])
        else { return nil }
        return (Partition(UInt16(partition)), LogSequence(place))
    }

    private func prefix(of partition: Partition) -> [UInt8] {
        logs + Self.digits(UInt64(partition.number), 4) + [Self.slash]
    }

    /// Returns the range of all keys with a prefix that ends in a slash.
    private static func all(_ prefix: [UInt8]) -> Range {
        Range(from: prefix, to: prefix.dropLast() + [slash + 1])
    }

    private static func digits(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { place in
            let digit = UInt8(truncatingIfNeeded: number >> (place * 4)) & 0xF
            return digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        digits.reduce(0 as UInt64?) { number, digit in
            switch digit {
            case 0x30...0x39: number.map { $0 << 4 | UInt64(digit - 0x30) }
            case 0x61...0x66: number.map { $0 << 4 | UInt64(digit - 0x57) }
            default: nil
            }
        }
    }
}
