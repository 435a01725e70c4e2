import CMicroHTTPD
import Glibc

/// The loop's answers, on their way to libmicrohttpd.
extension Daemon {
    func answer(_ id: Request.ID, _ response: Response) {
        guard let exchange = take(up: id) else { return }
        exchange.state = .answered(response)
        takeUp(exchange)
    }

    func stream(_ id: Request.ID, _ head: Response) -> Bool {
        guard let exchange = take(up: id) else { return false }
        exchange.begin(head)
        exchange.state = .streamAnswered(head)
        takeUp(exchange)
        return true
    }

    /// Returns the exchange that waits for this answer; nil if its client has gone.
    private func take(up id: Request.ID) -> Exchange? {
        guard let exchange = exchanges[id], case .waiting = exchange.state else { return nil }
        waiting -= 1
        return exchange
    }

    /// Refuses a request and ends its connection, as the bytes that follow on it may be something else than they
    /// seem.
    func refuse(_ exchange: Exchange, _ response: Response) -> Bool {
        var response = response
        response.headers["Connection"] = "close"
        exchange.isRefused = true
        return queue(response, to: exchange)
    }

    func queue(_ response: Response, to exchange: Exchange) -> Bool {
        let count = response.body.bytesInMemory
        makeRoom(forAnswer: count)
        answers += count
        exchange.unsent += count
        beginSending(exchange)
        guard let body = ResponseBody(response.body) else {
            return queue(.problem(404, "Not found"), to: exchange)
        }
        return queue(body, response, to: exchange)
    }

    func queueStream(_ head: Response, to exchange: Exchange) -> Bool {
        exchange.state = .streaming
        // The stream's own buffer has a limit; this one limits the kernel's.
        if let visit = exchange.visit {
            set(SOL_SOCKET, SO_SNDBUF, 64 << 10, of: visit.socket)
            lines.put(visit, in: nil, at: time)
            hangUps.watch(visit.socket, for: exchange.id)
        }
        // A request that waited may be answered with a stream when all others have ended.
        if exchange.method == .head || isQuiescing { exchange.hasEnded = true }
        return queue(ResponseBody(stream: exchange), head, to: exchange)
    }

    func queue(_ prepared: PreparedResponse, to exchange: Exchange) -> Bool {
        if prepared.takers == 0 {
            makeRoom(forAnswer: prepared.count)
            answers += prepared.count
        }
        prepared.takers += 1
        exchange.prepared = prepared
        beginSending(exchange)
        return prepared.queue(to: exchange)
    }

    /// Cuts connections while more is on its way than may be: clients that ask for much and take little must not decide
    /// how much memory is filled.
    private func makeRoom(forAnswer count: Int) {
        var passed: [Visit] = []
        while answers + count > options.answers, let longest = lines.first(.taking)?.visit {
            lines.put(longest, in: nil, at: time)
            // Files take no memory.
            guard let exchange = longest.exchange, exchange.unsent > 0 || exchange.prepared != nil else {
                passed.append(longest)
                continue
            }
            letGo(ofAnswerTo: exchange)
            longest.cut()
        }
        for visit in passed { lines.put(visit, in: .taking, at: time) }
    }

    /// Counts the answer of an exchange no longer: it is out, or its connection ends.
    func letGo(ofAnswerTo exchange: Exchange) {
        answers -= exchange.unsent
        exchange.unsent = 0
        guard let prepared = exchange.prepared else { return }
        exchange.prepared = nil
        prepared.takers -= 1
        if prepared.takers == 0 { answers -= prepared.count }
    }

    private func beginSending(_ exchange: Exchange) {
        exchange.state = .sending
        guard let visit = exchange.visit else { return }
        visit.acknowledged = 0
        lines.put(visit, in: .taking, at: time)
    }

    private func queue(_ body: consuming ResponseBody, _ response: Response, to exchange: Exchange) -> Bool {
        guard body.addAll(response.headers) else { return false }
        if isQuiescing, response.headers["Connection"] == nil { _ = body.add(["Connection": "close"]) }
        return unsafe body.queue(status: response.status, to: exchange.connection)
    }

    func send(_ id: Request.ID, _ bytes: [UInt8]) -> Sent {
        guard let exchange = exchanges[id], exchange.isStream, !exchange.isDropped, !exchange.hasEnded else {
            return .gone
        }
        guard exchange.buffer.append(bytes) else {
            drop(exchange)
            return .slow
        }
        endLargestStreams()
        guard !exchange.isDropped else { return .slow }
        takeUp(exchange)
        return .done
    }

    /// Ends streams while their readers leave more unread than they may together: each may be within its own limit, and
    /// very many of them must not decide how much memory is filled.
    func endLargestStreams() {
        while unread.bytes > options.backlogs {
            var largest: (exchange: Exchange, share: Int)?
            for exchange in exchanges.values where exchange.isStream {
                let share = exchange.buffer.share
                if share > largest?.share ?? 0 { largest = (exchange, share) }
            }
            guard let largest else { return }
            drop(largest.exchange)
        }
    }

    /// Ends a stream whose reader is too slow, leaves most unread of all, or is gone.
    func drop(_ exchange: Exchange) {
        exchange.isDropped = true
        exchange.buffer.removeAll()
        exchange.cut()
        takeUp(exchange)
    }

    func end(_ id: Request.ID) {
        guard let exchange = exchanges[id], exchange.isStream else { return }
        exchange.hasEnded = true
        takeUp(exchange)
    }
}
