import Bytes
package import Transport
package import Wire

/// Opens windows at a gateway, and hears of their changes.
///
///     var link = try WindowLink(endpoints.fetch)
///     let window = try link.ask(.open(opening), within: .seconds(5))
///     while let word = try link.next(within: .seconds(1)) { … }
package struct WindowLink: ~Copyable {
    private let endpoint: String
    private let socket: Socket
    private var lastRequest: UInt64 = 0
    /// Words that the gateway said while an answer was awaited.
    private var heard: [GatewayWord] = []

    package init(_ endpoint: String, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        socket = try .calling(endpoint, as: .dealer, access: access)
    }

    package var source: Source { socket.source }

    /// Asks, and returns the answer. Other words of the gateway, before and after it, are for `next`.
    package mutating func ask(_ word: ClientWord, within time: Duration) throws(ClientError) -> GatewayWord {
        let deadline = ContinuousClock.now + time
        lastRequest += 1
        let question = Framed(word, request: RequestID(lastRequest)).encoded()
        while try !send(question, before: deadline) {
            guard .now < deadline else { throw .noAnswer(endpoint: endpoint) }
        }
        while .now < deadline {
            try socket.listen(atMost: deadline - .now)
            while let frame = try receive() {
                if frame.request.number == lastRequest { return frame.word }
                if frame.request == .none { heard.append(frame.word) }
            }
        }
        throw .noAnswer(endpoint: endpoint)
    }

    /// The next word that the gateway says unasked; nil when it says nothing for so long.
    package mutating func next(within time: Duration) throws(ClientError) -> GatewayWord? {
        if !heard.isEmpty { return heard.removeFirst() }
        let deadline = ContinuousClock.now + time
        while true {
            if let frame = try receive() { return frame.word }
            guard .now < deadline else { return nil }
            try socket.listen(atMost: deadline - .now)
        }
    }

    private func send(_ question: [UInt8], before deadline: ContinuousClock.Instant) throws(ClientError) -> Bool {
        do throws(TransportError) {
            guard try socket.waitUntilWritable(atMost: deadline - .now) else { return false }
            return try socket.send(question) == .done
        } catch {
            throw .transport(error)
        }
    }

    private func receive() throws(ClientError) -> Framed<GatewayWord>? {
        guard let parts = try socket.nextParts() else { return nil }
        guard parts.count == 1 else { throw .unreadable(endpoint: endpoint) }
        do throws(ByteError) { return try Framed(decoding: parts[0]) } catch { throw .unreadable(endpoint: endpoint) }
    }
}
