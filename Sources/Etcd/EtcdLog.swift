import Pool
package import Replication

/// The log of a cluster in etcd, from 3.4 on, over its JSON gateway.
///
/// It belongs to one thread, which drains it:
///
///     while true {
///         try log.wait(atMost: .milliseconds(20))
///         for event in try log.takeEvents() { … }
///     }
///
/// `Etcd.docc` has the keys, the requests, and the meaning of answers.
package struct EtcdLog: AwaitedLog, ~Copyable {
    package typealias Failure = EtcdError

    private var desk: EtcdDesk
    private var calls: CurlCalls
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - name: the cluster's name; several clusters may share an etcd.
    ///   - urls: the addresses of the nodes. The first is asked as long as it answers.
    package init(
        of name: String, at urls: [String], certificates: EtcdCertificates? = nil
    ) throws(EtcdError) {
        guard let keys = EtcdKeys(cluster: name) else { throw .clusterName(name) }
        guard !urls.isEmpty else { throw .noAddress }
        for url in urls where !Self.isAddress(url) { throw .address(url) }
        let opened = try CurlCalls(urls, certificates)
        desk = EtcdDesk(EtcdRequests(keys: keys), nodes: urls)
        calls = opened
    }

    /// Whether the URL is a scheme, a host and a port, with nothing behind them.
    private static func isAddress(_ url: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else { return false }
        let place = url.utf8.dropFirst(scheme.utf8.count)
        guard let colon = place.lastIndex(of: UInt8(ascii: ":")), colon > place.startIndex,
            let port = UInt16(String(Substring(place[place.index(after: colon)...]))), port > 0
        else { return false }
        return place[..<colon].allSatisfy { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain || "-.:[]".utf8.contains(byte)
        }
    }

    private var now: Moment { Moment(sinceStart: start.duration(to: .now)) }

    package mutating func append(_ records: [LogAppend]) throws(EtcdError) -> AppendTicket {
        let ticket = desk.append(records, at: now)
        try send()
        return ticket
    }

    package mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws(EtcdError) {
        desk.read(ReadWish(partition: partition, after: after, limit: limit))
    }

    package mutating func trim(_ partition: Partition, to place: LogSequence) throws(EtcdError) {
        desk.ask(.trim(partition, to: place), at: now)
    }

    package mutating func begin(
        _ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?
    ) throws(EtcdError) {
        desk.ask(.begin(partition, after: place, inPlaceOf: end), at: now)
    }

    package mutating func takeEvents() throws(EtcdError) -> [LogEvent] {
        try turn()
        return desk.takeEvents()
    }

    /// Returns the complaints since the last call, for an operator.
    package mutating func takeComplaints() -> [EtcdComplaint] { desk.takeComplaints() }

    package mutating func takeWords() -> [String] { takeComplaints().map(\.description) }

    /// Whether everything that was asked for is answered.
    package var isIdle: Bool { desk.isIdle }

    /// Sends what was asked for, and waits until there may be something new, or one of the descriptors can be read.
    package mutating func wait(atMost time: Duration, orFor descriptors: [Int32] = []) throws(EtcdError) {
        try send()
        let rest = desk.wakes.map { $0.sinceStart - now.sinceStart } ?? time
        try calls.wait(atMost: min(time, rest), orFor: descriptors)
        try turn()
    }

    private mutating func turn() throws(EtcdError) {
        for (number, outcome) in try calls.finished() { desk.take(outcome, of: number, at: now) }
        try send()
    }

    private mutating func send() throws(EtcdError) { try calls.send(desk.calls(at: now)) }
}

/// The PEM files for an etcd that checks who its clients are.
package struct EtcdCertificates: Equatable, Sendable {
    package var authority: String
    package var certificate: String
    package var key: String

    package init(authority: String, certificate: String, key: String) {
        (self.authority, self.certificate, self.key) = (authority, certificate, key)
    }
}
