import Pool

/// The keys of a partition that one host holds, and which of them may be used.
///
/// ```text
///  made by an owner ──▶ on its disk ──▶ given to every host that lacks it ──▶ one of them says that it is on its disk: may be used
///                                                                     the log is trimmed past its last record: wiped everywhere
/// ```
///
/// A key that only its maker has would take with it, when that disk is lost, records that a quorum has acknowledged. So it waits for a second
/// host, and records go on under the key before it. A host that has heard of no other for a while, and has nothing better, uses what it has:
/// then there is no second host that could lose anything.
package struct KeyRing: Equatable, Sendable {
    private struct Held: Equatable, Sendable {
        var key: RecordKey
        var since: Moment
        /// Other hosts that have said that they have it.
        var others: Set<HostID> = []
        var lastUse: LogSequence
    }

    private var held: [KeyNumber: Held] = [:]
    /// The newest that a record of the log was sealed with. No record after it has an older one.
    private var used = KeyNumber.zero
    /// It and all before it are wiped, and are not taken again.
    package private(set) var wiped: KeyNumber

    /// - Parameter place: up to here the journal has the log, and any of these may have been used.
    package init(_ keys: [KeyNumber: RecordKey] = [:], wiped: KeyNumber = .zero, upTo place: LogSequence = .zero) {
        self.wiped = wiped
        for (number, key) in keys { held[number] = Held(key: key, since: .start, lastUse: place) }
    }

    package func key(_ number: KeyNumber) -> RecordKey? { held[number]?.key }
    package var numbers: [KeyNumber] { held.keys.sorted() }
    var newest: KeyNumber? { held.keys.max() }

    /// Keys that are held at once. An owner makes one a minute, and all but a handful go with the log; where another host gives more,
    /// records go on under those that are here.
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

    /// Those that a host lacks which has these.
    func lacking(_ numbers: [KeyNumber], wiped: KeyNumber) -> [(number: KeyNumber, key: RecordKey)] {
        held.filter { $0.key > wiped && !numbers.contains($0.key) }.map { ($0.key, $0.value.key) }
            .sorted { $0.number < $1.number }
    }

    /// What the next record is to be sealed with; nil where it has to wait.
    ///
    /// - Parameter isAlone: no other host has been heard of for a while.
    func usable(isAlone: Bool) -> KeyNumber? {
        let shared = held.filter { $0.key >= used && !$0.value.others.isEmpty }.keys.max()
        if let shared { return shared }
        if held[used] != nil { return used }
        return isAlone ? newest : nil
    }

    /// True where the newest is older than that, or there is none; false where there is no room for another.
    func isDue(_ age: Duration, at now: Moment) -> Bool {
        guard !isFull else { return false }
        guard let newest, let key = held[newest] else { return true }
        return now - age > key.since
    }

    mutating func use(_ number: KeyNumber, at sequence: LogSequence) {
        used = max(used, number)
        held[number]?.lastUse = sequence
    }

    /// Takes away what no record is sealed with any more, and none will be: in the order of numbers, so that one of them says what is gone.
    mutating func wipe(through trimmed: LogSequence) -> [KeyNumber] {
        let gone = Array(numbers.prefix { $0 < used && held[$0]!.lastUse <= trimmed })
        for number in gone { held[number] = nil }
        wiped = max(wiped, gone.last ?? .zero)
        return gone
    }
}
