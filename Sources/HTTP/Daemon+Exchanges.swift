/// What becomes of connections and requests.
extension Daemon {
    func welcome(socket: Int32) -> Visit {
        let visit = Visit(socket: socket, at: .now)
        visits[ObjectIdentifier(visit)] = visit
        return visit
    }

    func dismiss(_ visit: Visit) { visits[ObjectIdentifier(visit)] = nil }

    func open(_ connection: OpaquePointer, target: [UInt8]) -> Exchange {
        lastID += 1
        return unsafe Exchange(
            id: Request.ID(number: lastID), connection: connection, target: target, backlog: options.backlog)
    }

    /// The head is complete: refuses what cannot be taken before its body comes. False, as everywhere here, is what nobody
    /// can answer: the connection is ended.
    func admit(_ exchange: Exchange, _ method: Method, _ block: HeaderBlock) -> Bool {
        exchange.method = method
        exchange.headers = block.headers
        if let refusal = block.refusal(bodyLimit: options.body) { return refuse(exchange, refusal) }
        exchange.state = .receiving
        return true
    }

    /// All of the request is there, for the first time or after the connection was taken up again.
    func proceed(_ exchange: Exchange) -> Bool {
        switch exchange.state {
        case .receiving: meet(exchange)
        case .answered(let response): queue(response, to: exchange)
        case .streamAnswered(let head): queueStream(head, to: exchange)
        case .waiting: suspend(exchange)
        case .opening, .sending, .streaming, .gone: false
        }
    }

    private func meet(_ exchange: Exchange) -> Bool {
        guard let target = RequestTarget(exchange.target) else {
            return refuse(exchange, .problem(400, "Malformed request"))
        }
        guard let handler else { return false }
        exchange.visit?.waitingSince = nil
        let request = Request(
            id: exchange.id, method: exchange.method, target: target, headers: exchange.headers, body: exchange.body)
        exchange.body = []
        switch handler(request) {
        case .response(let response): return queue(response, to: exchange)
        case .prepared(let response): return queue(response, to: exchange)
        case .stream(let head):
            exchanges[exchange.id] = exchange
            return queueStream(head, to: exchange)
        case .later:
            guard waiting < options.waiting else {
                var busy = Response.problem(503, "Busy")
                busy.headers["Retry-After"] = "1"
                return queue(busy, to: exchange)
            }
            waiting += 1
            exchanges[exchange.id] = exchange
            exchange.state = .waiting
            return suspend(exchange)
        }
    }

    private func suspend(_ exchange: Exchange) -> Bool {
        exchange.suspend()
        return true
    }

    /// The answer is out, or the connection is lost.
    func close(_ exchange: Exchange, _ visit: Visit?) {
        switch exchange.state {
        case .waiting: waiting -= 1
        case .streaming, .streamAnswered: ended.append(exchange.id)
        case .opening, .receiving, .answered, .sending, .gone: break
        }
        exchange.state = .gone
        exchanges[exchange.id] = nil
        guard let visit else { return }
        visit.waitingSince = .now
        if isQuiescing { visit.cut() }
    }
}
