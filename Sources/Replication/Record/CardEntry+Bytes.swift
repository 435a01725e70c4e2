import Bytes
import Names
import Pool
import Wire

/// A card as the log has it: a byte with a bit for each register, then the registers that there are.
extension CardEntry {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .message(let card):
            writer.integer(0 as UInt8)
            card.write(to: &writer)
        case .alias(let message, let absorbed):
            writer.integer(absorbed == nil ? 1 : 2 as UInt8)
            writer.value(message)
            if let absorbed {
                writer.value(absorbed.number)
                writer.value(absorbed.removal)
            }
        }
    }

    init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 0: self = .message(try MessageCard(from: &reader))
        case 1: self = .alias(of: try reader.value())
        case 2:
            let message = try reader.value(MessageID.self)
            let absorbed = AbsorbedRow(number: try reader.messageNumber(), removal: try reader.jobNumber())
            self = .alias(of: message, absorbed: absorbed)
        case let code: throw .unknownCase(code, of: "card")
        }
    }
}

extension MessageCard {
    /// The registers that follow, a bit each.
    private struct Present: OptionSet {
        var rawValue: UInt8
        static let body = Present(rawValue: 1)
        static let order = Present(rawValue: 2)
        static let status = Present(rawValue: 4)
        static let reactions = Present(rawValue: 8)
        static let deletion = Present(rawValue: 16)
        static let job = Present(rawValue: 32)
        static let all: Present = [.body, .order, .status, .reactions, .deletion, .job]
    }

    /// The most voices of a card: none takes less than eight bytes, and all together take no more than `Limits.voices`.
    private static let mostVoices = UInt32(Limits.voices)

    fileprivate func write(to writer: inout ByteWriter) {
        var present: Present = []
        if body != nil { present.insert(.body) }
        if order != nil { present.insert(.order) }
        if status != nil { present.insert(.status) }
        if reactions != nil { present.insert(.reactions) }
        if deletion != nil { present.insert(.deletion) }
        if lastJob != nil { present.insert(.job) }
        writer.integer(present.rawValue)
        writer.value(number)
        if let body {
            writer.value(body.revision)
            writer.value(body.value.at)
            writer.integer(body.value.hash)
        }
        if let order {
            writer.value(order.revision)
            writer.integer(order.value)
        }
        for register in [status, reactions].compactMap(\.self) {
            writer.value(register.revision)
            writer.block(register.value)
        }
        if let deletion { writer.value(deletion) }
        if let lastJob { writer.value(lastJob) }
        writer.integer(UInt32(voices.count))
        for voice in voices { voice.write(to: &writer) }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteError) {
        let present = Present(rawValue: try reader.integer())
        guard present.isSubset(of: .all) else { throw .unknownCase(present.rawValue, of: "registers") }
        self.init(number: try reader.messageNumber())
        if present.contains(.body) {
            let revision = try reader.value(Revision.self)
            let at = try reader.value(LogPosition.self)
            body = Register(revision: revision, value: BodyPlace(at: at, hash: try reader.integer()))
        }
        if present.contains(.order) { order = Register(revision: try reader.value(), value: try reader.integer()) }
        if present.contains(.status) {
            status = Register(
                revision: try reader.value(), value: Array(try reader.block(atMost: Limits.status, of: "status")))
        }
        if present.contains(.reactions) {
            reactions = Register(
                revision: try reader.value(),
                value: Array(try reader.block(atMost: Limits.reactions, of: "reactions")))
        }
        if present.contains(.deletion) { deletion = try reader.value(Revision.self) }
        if present.contains(.job) { lastJob = try reader.jobNumber() }
        for _ in 0..<(try reader.integer(in: 0...Self.mostVoices, of: "voices")) {
            voices.append(try Voice(from: &reader))
        }
    }
}

extension Voice {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.value(reader)
        writer.integer(kind.rawValue)
        writer.value(revision)
        writer.integer(UInt8(choices.count))
        for choice in choices { writer.value(choice) }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteError) {
        let who = try reader.value(SenderID.self)
        let code = try reader.integer(UInt8.self)
        guard let kind = Kind(rawValue: code) else { throw .unknownCase(code, of: "voice") }
        let revision = try reader.value(Revision.self)
        var choices: [ChoiceID] = []
        for _ in 0..<(try reader.integer(in: 0...UInt8(Limits.choices), of: "choices")) {
            choices.append(try reader.value())
        }
        self.init(reader: who, kind: kind, revision: revision, choices: choices)
    }
}
