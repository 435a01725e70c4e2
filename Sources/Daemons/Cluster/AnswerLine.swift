import Pool

/// The line of a host that forwarded a request, as it stands in the envelope of the answer.
struct AnswerLine: Equatable {
    var route: [UInt8]
    var serial: UInt64

    /// The first byte of its envelopes. Routes of libzmq begin with a zero, those of workers elsewhere with 0xFF.
    private static let mark: UInt8 = 0xFE

    init(route: [UInt8], serial: UInt64) { (self.route, self.serial) = (route, serial) }

    /// Nil for the envelope of a producer of this host.
    init?(_ envelope: [[UInt8]]) {
        guard let frame = envelope.first, frame.first == Self.mark, frame.count > 9 else { return nil }
        serial = frame[1..<9].reduce(0) { $0 << 8 | UInt64($1) }
        route = Array(frame[9...])
    }

    var frame: [UInt8] {
        [Self.mark] + (0..<8).map { UInt8(truncatingIfNeeded: serial >> (56 - 8 * $0)) } + route
    }

    /// The connection of the other host, whatever the number of the request.
    var peer: Peer { Peer(route: [Self.mark] + route) }
}

extension Peer {
    /// Nil for the envelope of another host: its requests are of producers whose connections only it knows.
    init?(ofProducer envelope: [[UInt8]]) {
        let envelope = PartLine.whole(envelope)
        guard let route = envelope.first, AnswerLine(envelope) == nil else { return nil }
        self.init(route: route)
    }
}
