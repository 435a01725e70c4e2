import Glibc
import Pool
package import Replication

/// The log of a cluster in PostgreSQL, from 15 on: two tables, and two functions that append and trim.
///
/// It belongs to one thread, and runs one statement after the other: each call returns with the server's answer, or
/// with an unknown outcome. `Postgres.docc` has the tables, and the settings with which a commit is on two disks.
package struct PostgresLog: AwaitedLog, ~Copyable {
    package typealias Failure = PostgresError

    private let url: String
    private let cluster: String
    /// The most bytes that all records of the cluster may take.
    package var quota: Int64 = 1 << 30
    private var link: PostgresLink?
    private var nextTry = ContinuousClock.now
    private var appends: UInt64 = 0
    /// The most records of a read; fewer after one that did not come in time.
    private var page = LogBounds.page
    private var events: [LogEvent] = []
    private var words: [String] = []
    /// The last complaint, which is not told twice in a row.
    private var told: String?

    /// The time between two tries to connect.
    private static let pause = Duration.milliseconds(250)

    /// - Parameter name: the cluster's name; several clusters may share a database.
    package init(of name: String, at url: String) throws(PostgresError) {
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else { throw .address(url) }
        guard !name.isEmpty, name.utf8.count <= 64 else { throw .clusterName(name) }
        (self.url, cluster) = (url, name)
    }

    /// Waits for the next try to connect where there is no connection, and as long after a refusal: what is told as
    /// unknown is asked for again at once, and nobody is to do that without a pause.
    package mutating func append(_ records: [LogAppend]) throws(PostgresError) -> AppendTicket {
        if link == nil { Self.wait(until: nextTry) }
        appends += 1
        let ticket = AppendTicket(appends)
        // Every host locks rows in the same order, so that there is no deadlock.
        let records = records.sorted { $0.partition < $1.partition }
        let outcome = ask(
            "SELECT forme_append_1($1, $2, $3, $4, $5)",
            [
                .text(cluster), .integers(records.map { Int32($0.partition.number) }),
                .wides(records.map { Int64(bitPattern: $0.behind.number) }), .blobs(records.map(\.bytes)), .wide(quota),
            ])
        let event = Self.event(of: outcome, ticket)
        if case .refused? = outcome, event == .unknown(ticket) { Self.wait(until: .now + Self.pause) }
        events.append(event)
        return ticket
    }

    private static func wait(until time: ContinuousClock.Instant) {
        let milliseconds = Int32(clamping: Int(((time - .now) / .milliseconds(1)).rounded(.up)))
        if milliseconds > 0 { _ = poll(nil, 0, milliseconds) }
    }

    private static func event(of outcome: PostgresLink.Outcome?, _ ticket: AppendTicket) -> LogEvent {
        switch outcome {
        case .rows(let rows):
            guard let refused = rows.first?.first??.numbers else { return .unknown(ticket) }
            if refused.isEmpty { return .appended(ticket) }
            // -1 is no partition: the quota is reached.
            return refused == [-1]
                ? .full(ticket) : .overtaken(ticket, refused.map { Partition(UInt16(truncatingIfNeeded: $0)) })
        // Class 53, insufficient resources: a full disk, for example.
        case .refused(let code, _) where code.hasPrefix("53"): return .full(ticket)
        case .refused, .unknown, nil: return .unknown(ticket)
        }
    }

    package mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws(PostgresError) {
        let most = min(limit, page)
        // One statement, so that the extent and the records are of the same moment.
        let outcome = ask(
            """
            SELECT l.last, l.trimmed, r.sequence, r.record FROM forme_log l LEFT JOIN LATERAL (
                SELECT sequence, record FROM forme_record
                WHERE cluster = $1 AND partition = $2 AND sequence > $3 ORDER BY sequence LIMIT $4
            ) r ON true WHERE l.cluster = $1 AND l.partition = $2 ORDER BY r.sequence
            """,
            [
                .text(cluster), .integer(Int32(partition.number)), .wide(Int64(clamping: after.number)),
                .wide(Int64(most)),
            ])
        guard case .rows(let rows) = outcome else {
            if case .unknown? = outcome { page = max(1, most / 2) }
            return
        }
        page = min(LogBounds.page, page * 2)
        guard let first = rows.first else { return events.append(.reset(partition)) }
        guard let last = first[0]?.number, let trimmed = first[1]?.number else { return }
        for row in rows {
            guard let sequence = row[2]?.number, let record = row[3] else { continue }
            events.append(.entry(partition, LogSequence(UInt64(bitPattern: sequence)), Array(record)))
        }
        let extent = LogExtent(
            last: LogSequence(UInt64(bitPattern: last)), trimmed: LogSequence(UInt64(bitPattern: trimmed)))
        events.append(.end(partition, extent))
    }

    package mutating func trim(_ partition: Partition, to place: LogSequence) throws(PostgresError) {
        _ = ask(
            "SELECT forme_trim_1($1, $2, $3)",
            [.text(cluster), .integer(Int32(partition.number)), .wide(Int64(clamping: place.number))])
    }

    package mutating func begin(
        _ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?
    ) throws(PostgresError) {
        let values: [PostgresValue] = [
            .text(cluster), .integer(Int32(partition.number)), .wide(Int64(clamping: place.number)),
        ]
        guard let end else {
            _ = ask("INSERT INTO forme_log VALUES ($1, $2, $3, $3, 0) ON CONFLICT DO NOTHING", values)
            return
        }
        _ = ask(
            """
            WITH begun AS (
                UPDATE forme_log SET last = $3, trimmed = $3, bytes = 0
                WHERE cluster = $1 AND partition = $2 AND last = $4 RETURNING 1)
            DELETE FROM forme_record WHERE cluster = $1 AND partition = $2 AND EXISTS (SELECT 1 FROM begun)
            """, values + [.wide(Int64(clamping: end.number))])
    }

    package mutating func takeEvents() throws(PostgresError) -> [LogEvent] {
        defer { events = [] }
        return events
    }

    package mutating func takeWords() -> [String] {
        defer { words = [] }
        return words
    }

    package mutating func wait(atMost time: Duration, orFor descriptors: [Int32]) throws(PostgresError) {
        var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = events.isEmpty ? Int32(clamping: Int((time / .milliseconds(1)).rounded(.up))) : 0
        _ = unsafe poll(&waited, nfds_t(waited.count), max(0, milliseconds))
    }

    /// Runs a statement on the server, and complains where the server did not do it; nil where there is no
    /// connection.
    private mutating func ask(_ statement: String, _ values: [PostgresValue]) -> PostgresLink.Outcome? {
        guard let link = connected() else { return nil }
        let outcome = link.run(statement, values)
        switch outcome {
        case .rows: told = nil
        case .refused(let code, let reason):
            complain(reason)
            // A read-only transaction: the server takes no more writes, so another one is to be found.
            if code == "25006" { self.link = nil }
        case .unknown(let reason): complain(reason)
        }
        if !link.isUsable { self.link = nil }
        return outcome
    }

    private mutating func connected() -> PostgresLink? {
        if let link { return link }
        guard .now >= nextTry else { return nil }
        nextTry = .now + Self.pause
        do throws(PostgresError) {
            let link = try PostgresLink(to: url)
            switch link.run(PostgresSchema.statements) {
            case .rows: break
            case .refused(_, let reason), .unknown(let reason):
                complain(reason)
                return nil
            }
            lookAtStandbys(link)
            self.link = link
            return link
        } catch {
            complain("\(error)")
            return nil
        }
    }

    /// Complains where no synchronous standby is set: a commit that waits for none is on one disk.
    private mutating func lookAtStandbys(_ link: PostgresLink) {
        guard case .rows(let rows) = link.run("SELECT current_setting('synchronous_standby_names')", []),
            let names = rows.first?.first ?? nil, names.isEmpty
        else { return }
        complain(
            "PostgreSQL has no synchronous standby, so what is accepted is on one of its disks; set synchronous_standby_names, to 'ANY 1 (*)' for one"
        )
    }

    private mutating func complain(_ words: String) {
        guard told != words else { return }
        told = words
        self.words.append(words)
    }
}
