/// Everything that one process says to another, in one message of one frame.
///
/// ```text
///  0       4         5      6       8                16
///  ┌───────┬─────────┬──────┬───────┬────────────────┬───────────
///  │ FRME  │ version │ kind │ flags │ request id     │ content…
///  └───────┴─────────┴──────┴───────┴────────────────┴───────────
/// ```
///
/// An answer carries the request id of its question. Flags are for later versions, and are zero.
package struct Frame: Equatable, Sendable {
    package var request: RequestID
    package var content: Content

    package init(_ content: Content, request: RequestID = .none) {
        self.request = request
        self.content = content
    }

    package enum Content: Equatable, Sendable {
        /// Producer to coordinator; answered by `.posted` or `.refused`.
        case post([Event])
        /// The events are in the journal and will be laid out, or were there before.
        case posted(Receipt)
        case refused(Refusal)
        /// Worker to coordinator, every second and whenever its leases change.
        case beat(Beat)
        /// Coordinator to worker: still here, and are you?
        case pulse
        case assign(Lease)
        case finished(LeaseID, [JobResult])
        /// Client to gateway; answered by `.page` or `.refused`.
        case fetch(Query)
        case page(Page)
        /// Published when layouts have reached the cache. A hint: it may be lost.
        case ready([Readiness])
    }
}

package struct RequestID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    /// Said unasked, or to nobody in particular.
    package static let none = RequestID(0)
}

extension Frame: ByteCoded {
    package static let version: UInt8 = 2
    private static let magic: [UInt8] = Array("FRME".utf8)

    private enum Kind: UInt8 {
        case post = 1, posted, refused, beat, pulse, assign, finished, fetch, page, ready
    }

    package func write(to writer: inout ByteWriter) {
        writer.append(Self.magic)
        writer.integer(Self.version)
        writer.integer(kind.rawValue)
        writer.integer(0 as UInt16)
        writer.integer(request.number)
        switch content {
        case .post(let events): writer.list(events)
        case .posted(let receipt): writer.value(receipt)
        case .refused(let refusal): writer.value(refusal)
        case .beat(let beat): writer.value(beat)
        case .pulse: break
        case .assign(let lease): writer.value(lease)
        case .finished(let lease, let results):
            writer.value(lease)
            writer.list(results)
        case .fetch(let query): writer.value(query)
        case .page(let page): writer.value(page)
        case .ready(let readiness): writer.list(readiness)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard try reader.bytes(4).elementsEqual(Self.magic) else { throw .notForme }
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        let code = try reader.integer(UInt8.self)
        guard let kind = Kind(rawValue: code) else { throw .unknownKind(code) }
        let flags = try reader.integer(UInt16.self)
        guard flags == 0 else { throw .unknownFlags(flags) }
        request = RequestID(try reader.integer())
        switch kind {
        case .post: content = .post(try reader.list(atMost: Limits.eventsPerPost))
        case .posted: content = .posted(try reader.value())
        case .refused: content = .refused(try reader.value())
        case .beat: content = .beat(try reader.value())
        case .pulse: content = .pulse
        case .assign: content = .assign(try reader.value())
        case .finished: content = .finished(try reader.value(), try reader.list(atMost: Limits.jobsPerLease))
        case .fetch: content = .fetch(try reader.value())
        case .page: content = .page(try reader.value())
        case .ready: content = .ready(try reader.list(atMost: Limits.jobsPerLease))
        }
    }

    private var kind: Kind {
        switch content {
        case .post: .post
        case .posted: .posted
        case .refused: .refused
        case .beat: .beat
        case .pulse: .pulse
        case .assign: .assign
        case .finished: .finished
        case .fetch: .fetch
        case .page: .page
        case .ready: .ready
        }
    }
}
