import Secrets

/// The id of a trace: everything that is done with one revision of a message, in every process of a service and on
/// every host. It is derived from facts that all of them know, so that no protocol has to carry it, and processes of
/// other releases take part.
package struct TraceID: Hashable, Sendable {
    /// The halves of the id: 16 bytes, as W3C and OpenTelemetry have it.
    private let high: UInt64
    private let low: UInt64
    /// The id of the root span, the parent of all others: the acceptance of this revision.
    let root: UInt64

    package init(conversation: String, message: String, revision: UInt64) {
        var bytes = Array("forme trace ".utf8)
        for text in [conversation, message, String(revision)] {
            bytes += "\(text.utf8.count):".utf8
            bytes += text.utf8
        }
        let hash = Fingerprint.of(bytes)
        func word(_ place: Int) -> UInt64 { hash[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        // Zeros alone are no id.
        (high, low, root) = (word(0), word(8) | 1, word(16) | 1)
    }

    /// 32 hexadecimal digits.
    package var text: String { Self.digits(high) + Self.digits(low) }

    /// Whether this trace is the one of so many that is followed; the answer is the same in every process.
    package func isOne(in count: Int) -> Bool { (low >> 1) % UInt64(max(1, count)) == 0 }

    static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}

/// A message that is followed, in one revision.
package struct TracedMessage: Hashable, Sendable {
    package let trace: TraceID
    let conversation: String
    let message: String
    let revision: UInt64

    package init(conversation: String, message: String, revision: UInt64) {
        trace = TraceID(conversation: conversation, message: message, revision: revision)
        (self.conversation, self.message, self.revision) = (conversation, message, revision)
    }

    package static func == (a: TracedMessage, b: TracedMessage) -> Bool { a.trace == b.trace }
    package func hash(into hasher: inout Hasher) { hasher.combine(trace) }
}
