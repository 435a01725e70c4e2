package import Transport
package import Wire

/// Why a service did not do what was asked.
package enum ClientError: Error, Equatable, Sendable {
    /// Nobody answered in time; nobody may be there.
    case noAnswer(endpoint: String)
    case refused(Refusal)
    /// The answer cannot be read, or is none to this question.
    case unreadable(endpoint: String)
    case transport(TransportError)
}

/// Asks one service, one question at a time, each with a deadline.
package struct Client: ~Copyable {
    private let endpoint: String
    private let socket: Socket
    private var lastRequest: UInt64 = 0

    package init(_ endpoint: String, access: Access = Access()) throws(ClientError) {
        do throws(TransportError) {
            let socket = try Socket(
                .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
            try socket.connect(endpoint)
            self.socket = socket
        } catch {
            throw .transport(error)
        }
        self.endpoint = endpoint
    }

    /// Has events kept; they are on disk when this returns. While the coordinator is busy, asks again.
    package mutating func post(_ events: [Event], within time: Duration) throws(ClientError) -> Receipt {
        let deadline = ContinuousClock.now + time
        while true {
            switch try ask(.post(events), before: deadline) {
            case .posted(let receipt): return receipt
            case .refused(.busy) where ContinuousClock.now < deadline: try listen(atMost: .milliseconds(50))
            case .refused(let refusal): throw .refused(refusal)
            default: throw .unreadable(endpoint: endpoint)
            }
        }
    }

    /// One page of finished layouts.
    package mutating func fetch(_ query: Query, within time: Duration) throws(ClientError) -> Page {
        switch try ask(.fetch(query), before: .now + time) {
        case .page(let page): return page
        case .refused(let refusal): throw .refused(refusal)
        default: throw .unreadable(endpoint: endpoint)
        }
    }

    /// Every finished layout of a conversation at one target.
    package mutating func fetchAll(_ query: Query, within time: Duration) throws(ClientError) -> [StoredRow] {
        var query = query
        var rows: [StoredRow] = []
        while true {
            let page = try fetch(query, within: time)
            rows += page.rows
            guard let next = page.next else { return rows }
            query.after = next
        }
    }

    private mutating func ask(
        _ content: Frame.Content, before deadline: ContinuousClock.Instant
    ) throws(ClientError) -> Frame.Content {
        lastRequest += 1
        let question = Frame(content, request: RequestID(lastRequest)).encoded()
        while try !send(question, before: deadline) {
            guard .now < deadline else { throw .noAnswer(endpoint: endpoint) }
        }
        while .now < deadline {
            try listen(atMost: deadline - .now)
            // An answer to an earlier question, too late, is passed over.
            while let frame = try receive() {
                if frame.request.number == lastRequest { return frame.content }
            }
        }
        throw .noAnswer(endpoint: endpoint)
    }

    private func send(_ question: [UInt8], before deadline: ContinuousClock.Instant) throws(ClientError) -> Bool {
        do throws(TransportError) {
            guard try socket.waitUntilWritable(atMost: deadline - .now) else { return false }
            return try socket.send(question) == .done
        } catch {
            throw .transport(error)
        }
    }

    private func listen(atMost time: Duration) throws(ClientError) {
        do throws(TransportError) {
            _ = try wait(for: [socket.source], atMost: time)
        } catch {
            throw .transport(error)
        }
    }

    private func receive() throws(ClientError) -> Frame? {
        let parts: [[UInt8]]?
        do throws(TransportError) { parts = try socket.receive() } catch { throw .transport(error) }
        guard let parts else { return nil }
        guard parts.count == 1, let frame = readable(parts[0]) else { throw .unreadable(endpoint: endpoint) }
        return frame
    }
}

private func readable(_ bytes: [UInt8]) -> Frame? {
    do throws(WireError) { return try Frame(decoding: bytes) } catch { return nil }
}
