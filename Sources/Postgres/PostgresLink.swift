import CPQ
import Glibc

/// A connection to a server. Statements go over it one after the other, each with a time limit. A connection that did
/// not answer in time is not used again, as the outcome of its statement is unknown.
@safe final class PostgresLink {
    typealias Row = [ArraySlice<UInt8>?]

    enum Outcome {
        case rows([Row])
        /// Refused, with PostgreSQL's code and words: nothing of it was done.
        case refused(code: String, reason: String)
        /// The outcome is unknown.
        case unknown(reason: String)
    }

    private let link: OpaquePointer
    /// The text of a warning. The server warns when it reports a commit that no standby has.
    private let warning = Warning()
    private(set) var isUsable = true

    private final class Warning {
        var text: String?
    }

    /// The seconds after which a server that does not take a connection is given up.
    private static let connecting = "2"
    /// The time that a statement may take.
    private static let patience = Duration.seconds(2)

    /// - Parameter url: `postgresql://HOST:PORT,HOST:PORT/DATABASE?…`; of several hosts, one that accepts writes is
    ///   taken.
    init(to url: String) throws(PostgresError) {
        let options = [
            ("dbname", url), ("connect_timeout", Self.connecting), ("target_session_attrs", "read-write"),
            ("application_name", "forme"), ("tcp_user_timeout", "2000"), ("client_encoding", "UTF8"),
        ]
        var names = unsafe options.map { unsafe UnsafePointer(strdup($0.0)) } + [nil]
        var values = unsafe options.map { unsafe UnsafePointer(strdup($0.1)) } + [nil]
        defer {
            unsafe (names + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        }
        guard let link = unsafe PQconnectdbParams(&names, &values, 1) else { throw .noRoom }
        unsafe self.link = link
        guard unsafe PQstatus(link) == CONNECTION_OK else {
            throw .noConnection(unsafe Self.line(PQerrorMessage(link)))
        }
        unsafe PQsetnonblocking(link, 1)
        let context = unsafe Unmanaged.passUnretained(warning).toOpaque()
        unsafe PQsetNoticeReceiver(
            link,
            { context, notice in
                guard let context = unsafe context,
                    let severity = unsafe PQresultErrorField(notice, Int32(UInt8(ascii: "V"))),
                    unsafe String(cString: severity) == "WARNING"
                else { return }
                let warning = unsafe Unmanaged<Warning>.fromOpaque(context).takeUnretainedValue()
                warning.text = unsafe PostgresLink.line(PQresultErrorMessage(notice))
            }, context)
    }

    deinit { unsafe PQfinish(link) }

    /// Runs several statements without parameters, in one transaction.
    func run(_ statements: String) -> Outcome { finish(unsafe PQsendQuery(link, statements)) }

    func run(_ statement: String, _ values: [PostgresValue]) -> Outcome {
        let types = values.map(\.type)
        let parts = values.map(\.bytes)
        let lengths = parts.map { Int32($0.count) }
        let bytes = parts.flatMap { $0 }.map { CChar(bitPattern: $0) }
        return finish(unsafe forme_pq_send(link, statement, Int32(values.count), types, bytes, lengths))
    }

    private func finish(_ sent: Int32) -> Outcome {
        guard sent == 1 else { return fail() }
        warning.text = nil
        let end = ContinuousClock.now + Self.patience
        var rows: [Row] = []
        var refusal: Outcome?
        while true {
            guard waitForAnswer(until: end) else { return fail() }
            guard let result = unsafe PQgetResult(link) else { break }
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK: rows = unsafe Self.rows(of: result)
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default:
                let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map {
                    unsafe String(cString: $0)
                }
                // Without a code from the server, the connection itself has failed.
                guard let code, unsafe PQstatus(link) == CONNECTION_OK else { return fail() }
                refusal = .refused(code: code, reason: unsafe Self.line(PQresultErrorMessage(result)))
            }
        }
        if let text = warning.text {
            isUsable = false
            return .unknown(reason: text)
        }
        return refusal ?? .rows(rows)
    }

    private func fail() -> Outcome {
        isUsable = false
        let said = unsafe Self.line(PQerrorMessage(link))
        return .unknown(reason: said.isEmpty ? "it did not answer in time" : said)
    }

    /// Waits until the next result can be taken; false where that takes too long, or the connection fails.
    private func waitForAnswer(until end: ContinuousClock.Instant) -> Bool {
        while true {
            let isSending = unsafe PQflush(link)
            guard isSending >= 0 else { return false }
            if isSending == 0, unsafe PQisBusy(link) == 0 { return true }
            let rest = end - .now
            guard rest > .zero else { return false }
            let wanted = Int16(POLLIN) | (isSending > 0 ? Int16(POLLOUT) : 0)
            var socket = pollfd(fd: unsafe PQsocket(link), events: wanted, revents: 0)
            guard unsafe poll(&socket, 1, Int32((rest / .milliseconds(1)).rounded(.up))) >= 0 || errno == EINTR else {
                return false
            }
            guard unsafe PQconsumeInput(link) == 1 else { return false }
        }
    }

    private static func rows(of result: OpaquePointer) -> [Row] {
        let (count, width) = unsafe (PQntuples(result), PQnfields(result))
        return (0..<count).map { row in
            (0..<width).map { column -> ArraySlice<UInt8>? in
                guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column)
                else { return nil }
                let length = Int(unsafe PQgetlength(result, row, column))
                return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))[...]
            }
        }
    }

    private static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        let words = unsafe String(cString: text).split(whereSeparator: \.isNewline).map(String.init)
        return words.joined(separator: " ")
    }
}
