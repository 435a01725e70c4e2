import Bytes
import Names
import Pool
import Wire

/// A `MessageKey` as the bytes that its card is stored under, hashed once.
///
/// The keys of a conversation lie together, and conversations are in the order of their hashes. So
/// messages that arrive at about the same time are merged into few pages, and the first eight bytes
/// are mostly enough to tell two keys apart.
///
/// | bytes | |
/// |---|---|
/// | 8 | hash of the conversation, the highest byte first |
/// | block | conversation |
/// | rest | message |
struct CardKey: Hashable {
    let bytes: [UInt8]
    /// The first eight bytes as a number, which has the same order.
    let prefix: UInt64
    private let hash: UInt64

    init(_ key: MessageKey) {
        var writer = [UInt8](capacity: 12 + key.conversation.text.utf8.count + key.message.text.utf8.count)
        for _ in 0..<8 { writer.append(0) }
        writer.name(key.conversation)
        var sum = Checksum()
        sum.add(writer, from: 8)
        prefix = sum.wide
        let length = writer.count
        writer.append(contentsOf: key.message.text.utf8)
        sum.add(writer, from: length)
        hash = sum.wide
        writer.replaceWord(at: 0, with: UInt32(truncatingIfNeeded: prefix >> 32).byteSwapped)
        writer.replaceWord(at: 4, with: UInt32(truncatingIfNeeded: prefix).byteSwapped)
        bytes = writer
    }

    /// A key behind all others: the length of a name follows the hash, and no length begins with such bytes.
    static let behindAll = [UInt8](repeating: 0xFF, count: 10)

    /// The bytes with which the keys of all messages of a conversation begin.
    static func start(of conversation: ConversationID) -> [UInt8] {
        var writer = [UInt8](capacity: 12 + conversation.text.utf8.count)
        for _ in 0..<8 { writer.append(0) }
        writer.name(conversation)
        var sum = Checksum()
        sum.add(writer, from: 8)
        for byte in 0..<8 { writer[byte] = UInt8(truncatingIfNeeded: sum.wide >> (56 - 8 * byte)) }
        return writer
    }

    /// The key that is stored in some bytes.
    static func message(_ bytes: [UInt8]) throws(ByteError) -> MessageKey {
        var reader = PackedReader(bytes.dropFirst(8))
        let conversation = try reader.name(ConversationSubject.self)
        guard let text = String(validating: reader.remainder, as: UTF8.self) else { throw .notUTF8 }
        return MessageKey(conversation, try MessageID(text))
    }

    static func == (a: CardKey, b: CardKey) -> Bool { a.hash == b.hash && a.bytes == b.bytes }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
