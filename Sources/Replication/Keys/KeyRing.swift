import Pool

/// The keys of a partition that one host holds, and the choice of the one to use.
///
/// ```text
///  made by an owner ──▶ on its disk ──▶ given to every host that lacks it ──▶ on a second disk: may be used
///                                                       the log is trimmed past its last record: wiped everywhere
/// ```
///
/// A key that only its maker has would, if that disk is lost, take records with it that a quorum has acknowledged. So
/// a new key waits for a second host, and records go on under the key before it. A host that has heard of no other
/// for a while, and has no better key, uses its own: then there is no second host that could lose anything.
package struct KeyRing: Equatable, Sendable {
    private struct Held: Equatable, Sendable {
        var key: RecordKey
        var since: Moment
        /// The other hosts that have said that they have it.
        var others: Set<HostID> = []
        var lastUse: LogSequence
    }

    private var held: [KeyNumber: Held] = [:]
    /// The newest key that a record of the log was sealed with. No later record has an older one.
    private var used = KeyNumber.zero
    /// The last key that is wiped, with all before it. These are not taken again.
    package private(set) var wiped: KeyNumber

    /// - Parameter place: the end of the log as the journal has it; any of the keys may have been used up to there.
    package init(_ keys: [KeyNumber: RecordKey] = [:], wiped: KeyNumber = .zero, upTo place: LogSequence = .zero) {
        self.wiped = wiped
        for (number, key) in keys { held[number] = Held(key: key, since: .start, lastUse: place) }
    }

    package func key(_ number: KeyNumber) -> RecordKey? { held[number]?.key }
    package var numbers: [KeyNumber] { held.keys.sorted() }
    var newest: KeyNumber? { held.keys.max() }

    /// The most keys that are held at once. An owner makes one a minute, and all but a handful go with the log. Where
    /// another host gives more, records go on under those that are here.
    package static let most = 1024

    var isFull: Bool { held.count >= Self.most }

    func admits(_ number: KeyNumber) -> Bool { !isFull && number > wiped && held[number] == nil }

    mutating func hold(_ number: KeyNumber, _ key: RecordKey, at now: Moment) {
        guard admits(number) else { return }
        held[number] = Held(key: key, since: now, lastUse: .zero)
    }

    mutating func note(_ host: HostID, has numbers: [KeyNumber]) {
        for number in numbers { held[number]?.others.insert(host) }
    }

    /// Returns the keys that a host lacks, by the numbers that it has and the last that it has wiped.
    func lacking(_ numbers: [KeyNumber], wiped: KeyNumber) -> [(number: KeyNumber, key: RecordKey)] {
        held.filter { $0.key > wiped && !numbers.contains($0.key) }.map { ($0.key, $0.value.key) }
            .sorted { $0.number < $1.number }
    }

    /// Returns the key to seal the next record with; nil where the record has to wait.
    ///
    /// - Parameter isAlone: whether no other host has been heard of for a while.
    func usable(isAlone: Bool) -> KeyNumber? {
        let shared = held.filter { $0.key >= used && !$0.value.others.isEmpty }.keys.max()
        if let shared { return shared }
        if held[used] != nil { return used }
        return isAlone ? newest : nil
    }

    /// Whether a new key is due: the newest is older than `age`, or there is none, and there is room for another.
    func isDue(_ age: Duration, at now: Moment) -> Bool {
        guard !isFull else { return false }
        guard let newest, let key = held[newest] else { return true }
        return now - age > key.since
    }

    mutating func use(_ number: KeyNumber, at sequence: LogSequence) {
        used = max(used, number)
        held[number]?.lastUse = sequence
    }

    /// Takes away the keys that no record is sealed with any more, and none will be. They go in the order of numbers,
    /// so that one number says which are gone.
    mutating func wipe(through trimmed: LogSequence) -> [KeyNumber] {
        let gone = Array(numbers.prefix { $0 < used && held[$0]!.lastUse <= trimmed })
        for number in gone { held[number] = nil }
        wiped = max(wiped, gone.last ?? .zero)
        return gone
    }
}
