import CMicroHTTPD
import Glibc

/// libmicrohttpd's daemon, and the tables beside it.
///
/// It runs without a thread of its own: everything it does, it does inside `turn`, on the thread of the loop. So
/// nothing here is shared and nothing is locked, and a request that can be answered at once is answered within the
/// call that read its last byte, without being put aside and taken up again, which would cost five calls of the
/// kernel.
@safe final class Daemon {
    let options: ServerOptions
    let port: UInt16
    private var raw: OpaquePointer?
    /// The options and callbacks that libmicrohttpd was started with.
    private let given = UnsafeMutablePointer<forme_http_options>.allocate(capacity: 1)
    var visits: [ObjectIdentifier: Visit] = [:]
    var exchanges: [Request.ID: Exchange] = [:]
    /// Connections by what the server awaits of them, and their number by address.
    var lines = WaitingLines()
    var addresses: [PeerAddress: Int] = [:]
    /// The number of connections that were closed to make room and are still there.
    var leaving = 0
    /// Connections that ended in this turn and had shown a certificate.
    var dismissed: [Visit] = []
    var lastID: UInt64 = 0
    var lastVisit: UInt64 = 0
    /// Bytes that are set aside for incomplete bodies.
    var bodies = 0
    /// Bytes of answers that are on their way.
    var answers = 0
    /// Pieces of streams that their readers have not taken.
    let unread = UnreadPieces()
    let hangUps: HangUps
    private(set) var shown: ShownCertificate?
    /// The number of exchanges that the loop will answer later.
    var waiting = 0
    /// Streams that ended since the last turn, for any reason.
    var ended: [Request.ID] = []
    private(set) var isQuiescing = false
    /// Whether a connection was resumed. libmicrohttpd acts on that in the next turn, but its descriptor does not
    /// become readable.
    private var isDue = false
    private var lastPatrol = ContinuousClock.now
    /// The time of this turn, which is exact enough for timeouts.
    private(set) var time = ContinuousClock.now
    /// The loop's handler; nil outside `turn`.
    var handler: Handler?
    /// The exchange whose request the handler is looking at.
    var met: Exchange?

    struct Handler {
        let admit: (Request) -> Admission
        let answer: (Request) -> Answer
    }

    init(_ options: ServerOptions) throws(HTTPError) {
        self.options = options
        try makeRoom(forConnections: options.connections)
        let certificate = try options.certificate.map { (files) throws(HTTPError) in try CertificateText(files) }
        shown = try options.certificate.map { (files) throws(HTTPError) in try ShownCertificate(files) }
        hangUps = try HangUps()
        let listener = try ListeningSocket(options.address)
        port = listener.port
        unsafe given.initialize(to: callbacks(of: self))
        unsafe given.pointee.listener = listener.descriptor
        // Above our own limit, so that a new connection reaches us and another can be closed for it.
        unsafe given.pointee.connections = UInt32(options.connections + Self.spare)
        unsafe given.pointee.idle_seconds = UInt32(max(1, options.patience.components.seconds))
        unsafe given.pointee.memory = 2 * options.head
        guard let started = unsafe start(given, certificate) else {
            if let files = options.certificate { throw .badCertificate(path: files.path, key: files.key) }
            throw .system(call: "MHD_start_daemon", code: errno)
        }
        unsafe raw = unsafe started
    }

    /// Connections above the limit, while others that make room for them are still closing.
    private static let spare = 64

    deinit {
        // libmicrohttpd must not be stopped while it has suspended connections.
        for exchange in exchanges.values {
            exchange.cut()
            _ = exchange.resume()
        }
        unsafe MHD_stop_daemon(raw)
        unsafe given.deallocate()
    }

    /// The descriptor to wait for: readable when there is something to do.
    var descriptor: Int32 { unsafe forme_http_epoll(raw) }

    /// The longest time until the next turn, if nothing becomes readable before.
    var rest: Duration {
        if isDue { return .zero }
        var milliseconds: UInt64 = 0
        let hasDeadline = unsafe MHD_get_timeout(raw, &milliseconds) == .YES
        let patrol = visits.isEmpty ? Duration.seconds(3600) : .seconds(1)
        return hasDeadline ? min(patrol, .milliseconds(Int64(min(milliseconds, 3_600_000)))) : patrol
    }

    func turn(_ admit: (Request) -> Admission, _ answer: (Request) -> Answer) -> [Request.ID] {
        isDue = false
        time = .now
        dismissed = []
        withoutActuallyEscaping(admit) { admit in
            withoutActuallyEscaping(answer) { answer in
                handler = Handler(admit: admit, answer: answer)
                defer { handler = nil }
                unsafe MHD_run(raw)
            }
        }
        endLargestStreams()
        patrol()
        defer { ended = [] }
        return ended
    }

    private func patrol() {
        guard time - lastPatrol >= .seconds(1) else { return }
        lastPatrol = time
        // libmicrohttpd times silence alone, and a client that sends a byte now and then is never silent.
        for wait in [Visit.Wait.firstHead, .headOfStranger, .headOfKnown, .body] {
            let patience = wait == .firstHead ? min(options.firstHead, options.patience) : options.patience
            while let first = lines.first(wait), time - first.since > patience {
                lines.put(first.visit, in: nil, at: time)
                first.visit.cut()
            }
        }
        endSlowTaking()
        for id in hangUps.gone() {
            if let exchange = exchanges[id] { drop(exchange) }
        }
        shown?.refresh()
    }

    /// Cuts connections whose clients take an answer too slowly: ten seconds after its beginning, and every ten
    /// seconds from then on, at least `leastRate` must have been taken.
    private func endSlowTaking() {
        while let first = lines.first(.taking), time - first.since > Self.takingTime {
            let (visit, taken) = (first.visit, forme_tcp_acknowledged(first.visit.socket))
            // The first look only stores the count, as the bytes acknowledged before are of other answers.
            let isSlow = visit.acknowledged > 0 && taken < visit.acknowledged + UInt64(options.leastRate) * 10
            visit.acknowledged = max(taken, 1)
            lines.put(visit, in: isSlow ? nil : .taking, at: time)
            if isSlow { visit.cut() }
        }
    }

    private static let takingTime: Duration = .seconds(10)

    func takeUp(_ exchange: Exchange) {
        guard exchange.resume() else { return }
        isDue = true
    }

    /// Stops taking connections, and requests on open ones; the work under way is finished.
    func quiesce() {
        guard !isQuiescing else { return }
        isQuiescing = true
        Glibc.close(unsafe MHD_quiesce_daemon(raw))
        for visit in visits.values where visit.isAwaited { visit.cut() }
        for exchange in exchanges.values where exchange.isStream { end(exchange.id) }
    }
}

/// Starts libmicrohttpd, which reads the texts of key and certificate during the call.
@unsafe private func start(
    _ given: UnsafeMutablePointer<forme_http_options>, _ certificate: consuming CertificateText?
) -> OpaquePointer? {
    guard let certificate else { return unsafe forme_http_start(given) }
    return unsafe certificate.withPointers { key, chain in
        unsafe given.pointee.key = key
        unsafe given.pointee.certificate = chain
        return unsafe forme_http_start(given)
    }
}

/// Raises the limit of open files to what this many connections need, and a few more. Too low a limit is better known
/// at the start than under load.
private func makeRoom(forConnections count: Int) throws(HTTPError) {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let needed = rlim_t(count + 128)
    guard limit.rlim_cur < needed else { return }
    guard limit.rlim_max >= needed else { throw .tooFewFiles(limit: UInt64(limit.rlim_max), needed: UInt64(needed)) }
    limit.rlim_cur = needed
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw .system(call: "setrlimit", code: errno)
    }
}
