package import Bytes
package import Pool
import Wire

/// One record of a partition's log: its host, its reign, the link before it, and the body that every replica applies.
package struct LogRecord: Equatable, Sendable {
    package var head: Head
    package var body: Body
    /// The place of the journal's next entry behind this record.
    package var next: LogPosition

    /// The part that an engine may read.
    package struct Head: Equatable, Sendable {
        package var reign: Reign
        package var host: HostID
        /// The link of all records before it.
        package var link: ChainLink
        /// The key that the rest is sealed with.
        package var key: KeyNumber

        package init(reign: Reign, host: HostID, link: ChainLink, key: KeyNumber) {
            (self.reign, self.host, self.link, self.key) = (reign, host, link, key)
        }
    }

    package enum Body: Equatable, Sendable {
        /// The host owns the partition from here on, and is reached at these endpoints.
        case claim(endpoints: [String])
        case turn(TurnContent)
        /// All screens that rows are laid out for beside those of their style.
        case targets([AddedTarget])
        /// The owner is there, and has nothing to say.
        case beat
    }

    package init(head: Head, body: Body, next: LogPosition) {
        (self.head, self.body, self.next) = (head, body, next)
    }
}

extension LogRecord {
    static let mostEndpoints = 8
    static let endpoint = 256
    /// The most entries of a turn: none takes less than sixteen bytes.
    private static let mostEntries = UInt32(LogBounds.record / 16)

    /// The part that is sealed: a byte for its kind, the place where the journal goes on, and the body.
    package var sealedPart: [UInt8] {
        var writer = ByteWriter()
        switch body {
        case .claim(let endpoints):
            writer.integer(1 as UInt8)
            writer.value(next)
            writer.integer(UInt8(endpoints.count))
            for endpoint in endpoints { writer.text(endpoint) }
        case .turn(let turn):
            writer.integer(2 as UInt8)
            writer.value(next)
            writer.value(turn.first)
            writer.integer(UInt32(turn.entries.count))
            for entry in turn.entries { entry.write(to: &writer) }
            writer.integer(UInt32(turn.notes.count))
            for note in turn.notes { note.write(to: &writer) }
        case .targets(let targets):
            writer.integer(3 as UInt8)
            writer.value(next)
            writer.integer(UInt8(targets.count))
            for target in targets { target.write(to: &writer) }
        case .beat:
            writer.integer(4 as UInt8)
            writer.value(next)
        }
        return writer.bytes
    }

    package init(head: Head, sealedPart bytes: [UInt8]) throws(ByteError) {
        var reader = ByteReader(bytes)
        let kind = try reader.integer(UInt8.self)
        let next = try reader.value(LogPosition.self)
        let body: Body
        switch kind {
        case 1:
            var endpoints: [String] = []
            for _ in 0..<(try reader.integer(in: 0...UInt8(Self.mostEndpoints), of: "endpoints")) {
                endpoints.append(try reader.text(atMost: Self.endpoint, of: "endpoint"))
            }
            body = .claim(endpoints: endpoints)
        case 2:
            var turn = TurnContent(first: try reader.value(), entries: [])
            for _ in 0..<(try reader.integer(in: 0...Self.mostEntries, of: "entries")) {
                turn.entries.append(try JournalEntry(from: &reader))
            }
            for _ in 0..<(try reader.integer(in: 0...Self.mostEntries, of: "notes")) {
                turn.notes.append(try ConversationNote(from: &reader))
            }
            body = .turn(turn)
        case 3:
            var targets: [AddedTarget] = []
            for _ in 0..<(try reader.integer(in: 0...UInt8(Limits.addedTargets), of: "targets")) {
                targets.append(try AddedTarget(from: &reader))
            }
            body = .targets(targets)
        case 4: body = .beat
        default: throw .unknownKind(kind)
        }
        try reader.end()
        self.init(head: head, body: body, next: next)
    }
}
