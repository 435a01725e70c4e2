/// The course of connections and requests.
extension Daemon {
    /// Whether one more connection may come from this address.
    func mayCome(_ address: PeerAddress) -> Bool {
        addresses[address, default: 0] < options.connectionsPerAddress || options.proxies.contains(address)
    }

    func welcome(socket: Int32, from address: PeerAddress) -> Visit {
        lastVisit += 1
        let visit = Visit(lastVisit, socket: socket, from: address, showing: shown?.credentials)
        if visits.count - leaving >= options.connections { makeRoom(for: visit) }
        visits[ObjectIdentifier(visit)] = visit
        addresses[address, default: 0] += 1
        if !visit.isLeaving { lines.put(visit, in: .firstHead, at: time) }
        return visit
    }

    /// Closes the connection that has waited longest for a request, a stranger's before a known client's; where all
    /// are at work, the new one.
    private func makeRoom(for visit: Visit) {
        let strangers = [lines.first(.firstHead), lines.first(.headOfStranger)].compactMap(\.self)
        let longest = strangers.min { $0.since < $1.since } ?? lines.first(.headOfKnown)
        let going = longest?.visit ?? visit
        going.isLeaving = true
        leaving += 1
        lines.put(going, in: nil, at: time)
        going.cut()
    }

    func dismiss(_ visit: Visit) {
        visits[ObjectIdentifier(visit)] = nil
        if visit.isLeaving { leaving -= 1 }
        lines.put(visit, in: nil, at: time)
        let others = addresses[visit.address, default: 1] - 1
        addresses[visit.address] = others > 0 ? others : nil
        // GnuTLS may still use the certificate within this call.
        if visit.credentials != nil { dismissed.append(visit) }
    }

    func open(_ connection: OpaquePointer, target: [UInt8]) -> Exchange {
        lastID += 1
        let exchange = unsafe Exchange(
            id: Request.ID(number: lastID), connection: connection, target: target,
            buffer: StreamBuffer(limit: options.backlog, in: unread))
        exchange.visit?.exchange = exchange
        return exchange
    }

    /// Refuses heads whose Content-Length cannot be read before libmicrohttpd does so, which would send its own head
    /// twice. Its callback does not name the connection, so every connection with such a length is refused, as each
    /// would be anyway.
    func refuseUnreadableLengths() {
        for visit in visits.values {
            guard let exchange = visit.exchange, case .opening = exchange.state, let fault = exchange.lengthFault else {
                continue
            }
            exchange.isRefused = true
            exchange.say(fault)
            exchange.cut()
        }
    }

    /// Refuses a request that cannot be taken, once its head is complete and before its body comes. False, as
    /// everywhere here, means that no answer is possible: the connection ends. An answer given here ends the
    /// connection, too, so a request without a body is answered in `proceed`.
    func admit(_ exchange: Exchange, _ method: Method, _ block: HeaderBlock) -> Bool {
        exchange.method = method
        exchange.headers = block.headers
        if let refusal = block.refusal(bodyLimit: options.body) { return refuse(exchange, refusal) }
        let length = block.bodyLength
        exchange.state = .receiving
        guard length > 0 else { return true }
        guard let request = request(exchange) else { return refuse(exchange, .malformedTarget) }
        guard let handler else { return false }
        met = exchange
        defer { met = nil }
        switch handler.admit(request) {
        case .refused(let refusal): return refuse(exchange, refusal)
        case .body where method == .get || method == .head:
            return refuse(exchange, .problem(400, "Malformed request", "GET and HEAD have no body"))
        case .body(let limit):
            if length > limit { return refuse(exchange, .tooLarge(limit: limit)) }
            guard bodies + length <= options.bodies else { return refuse(exchange, .busy) }
            bodies += length
            exchange.reserved = length
            if let visit = exchange.visit { lines.put(visit, in: .body, at: time) }
            return true
        }
    }

    /// Goes on with a request that is complete, for the first time or after its connection was resumed.
    func proceed(_ exchange: Exchange) -> Bool {
        switch exchange.state {
        case .receiving: meet(exchange)
        case .answered(let response): queue(response, to: exchange)
        case .streamAnswered(let head): queueStream(head, to: exchange)
        case .waiting: suspend(exchange)
        case .opening, .sending, .streaming, .gone: false
        }
    }

    private func request(_ exchange: Exchange, _ body: [UInt8] = []) -> Request? {
        guard let target = RequestTarget(exchange.target) else { return nil }
        let visit = exchange.visit
        return Request(
            id: exchange.id, method: exchange.method, target: target, headers: exchange.headers, body: body,
            from: options.proxies.sender(of: exchange.headers, from: visit?.address ?? .none), on: visit?.number ?? 0)
    }

    private func meet(_ exchange: Exchange) -> Bool {
        guard let request = request(exchange, exchange.body) else {
            return refuse(exchange, .malformedTarget)
        }
        guard let handler else { return false }
        release(exchange)
        met = exchange
        defer { met = nil }
        switch handler.answer(request) {
        case .response(let response): return queue(response, to: exchange)
        case .prepared(let response): return queue(response, to: exchange)
        case .stream(let head):
            exchanges[exchange.id] = exchange
            exchange.begin(head)
            return queueStream(head, to: exchange)
        case .later:
            guard waiting < options.waiting else { return queue(.busy, to: exchange) }
            waiting += 1
            exchanges[exchange.id] = exchange
            exchange.state = .waiting
            if let visit = exchange.visit { lines.put(visit, in: nil, at: time) }
            return suspend(exchange)
        }
    }

    /// Frees the body of a request, which is the loop's now or nobody's, and the bytes set aside for it.
    private func release(_ exchange: Exchange) {
        exchange.body = []
        bodies -= exchange.reserved
        exchange.reserved = 0
    }

    private func suspend(_ exchange: Exchange) -> Bool {
        exchange.suspend()
        return true
    }

    /// Forgets an exchange whose answer is out, or whose connection is lost.
    func close(_ exchange: Exchange, _ visit: Visit?) {
        release(exchange)
        letGo(ofAnswerTo: exchange)
        switch exchange.state {
        case .waiting: waiting -= 1
        case .streaming, .streamAnswered:
            ended.append(exchange.id)
            exchange.buffer.removeAll()
            if let visit { hangUps.forget(visit.socket) }
        case .opening, .receiving, .answered, .sending, .gone: break
        }
        exchange.state = .gone
        exchanges[exchange.id] = nil
        guard let visit else { return }
        visit.exchange = nil
        if exchange.isRefused { visit.discard() }
        lines.put(visit, in: visit.isKnown ? .headOfKnown : .headOfStranger, at: time)
        if isQuiescing { visit.cut() }
    }
}

extension Response {
    fileprivate static var malformedTarget: Response {
        .problem(
            400, "Malformed request",
            "the path or the query is not UTF-8 without control characters, percent-encoded")
    }

    /// The refusal while the server is at one of its limits.
    package static var busy: Response {
        var busy = problem(503, "Busy")
        busy.headers["Retry-After"] = "1"
        return busy
    }
}
