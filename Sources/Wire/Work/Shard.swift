package import Bytes
package import Names

/// A part of all conversations, which one worker at a time lays out into one file.
package struct Shard: Hashable, Comparable, Sendable {
    package var number: UInt16
    package init(_ number: UInt16) { self.number = number }
    package static func < (a: Shard, b: Shard) -> Bool { a.number < b.number }

    /// The shard of a conversation, for ever: the 64-bit FNV-1a hash of its name, mixed until every letter moves
    /// every bit.
    package init(of conversation: ConversationID, among count: Int) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in conversation.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for factor in [0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53] as [UInt64] {
            hash ^= hash >> 33
            hash = hash &* factor
        }
        hash ^= hash >> 33
        number = UInt16(truncatingIfNeeded: ((hash >> 32) * UInt64(count)) >> 32)
    }
}

/// A fencing token: it rises whenever a shard passes from one worker to another, so that the one before can write
/// no more.
package struct LeaseEpoch: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: LeaseEpoch, b: LeaseEpoch) -> Bool { a.number < b.number }
}

/// The identity of a shard's file: a file that is begun anew after a loss has another.
package struct ShardOrigin: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// The number of a shard's commits. A reader remembers the stamp up to which it has read.
package struct Stamp: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: Stamp, b: Stamp) -> Bool { a.number < b.number }
    package static let zero = Stamp(0)
}

/// A file of a shard, and the stamp that it has reached.
package struct ShardPoint: Equatable, Sendable {
    package var origin: ShardOrigin
    package var stamp: Stamp
    package init(origin: ShardOrigin, stamp: Stamp) { (self.origin, self.stamp) = (origin, stamp) }
}

/// The hash of the inputs that a worker lays out with: style, fonts, targets and rules.
package struct EditionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Hexadecimal digits; good for the name of a folder.
    package let text: String

    package init(_ text: String) throws(ByteError) {
        guard !text.isEmpty else { throw .empty("edition") }
        guard text.utf8.count <= 64 else { throw .tooLong(text.utf8.count, limit: 64, of: "edition") }
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { throw .notUTF8 }
        self.text = text
    }

    package var description: String { text }
    package static func < (a: EditionID, b: EditionID) -> Bool { a.text < b.text }
}

extension Shard: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { number = try reader.integer() }
}

extension LeaseEpoch: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { number = try reader.integer() }
}

extension ShardOrigin: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { number = try reader.integer() }
}

extension Stamp: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { number = try reader.integer() }
}

extension ShardPoint: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(origin)
        writer.value(stamp)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        origin = try reader.value()
        stamp = try reader.value()
    }
}

extension EditionID: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.text(text) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        try self.init(reader.text(atMost: 64, of: "edition"))
    }
}
