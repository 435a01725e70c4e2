import Bytes
import Names
import Pool
import Wire

/// A `MessageKey` in the bytes that it is stored under, and hashed once.
///
/// Conversations lie together, in no order that their names have: so what arrives at about the same time is merged into few
/// pages, and two keys are mostly told apart by their first eight bytes.
///
/// | bytes | |
/// |---|---|
/// | 8 | hash of the conversation, the highest byte first |
/// | block | conversation |
/// | rest | message |
struct CardKey: Hashable {
    let bytes: [UInt8]
    /// The first eight bytes, as a number that orders as they do.
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

    /// Behind every key: behind the hash the length of a name begins, and no name has such a byte.
    static let behindAll = [UInt8](repeating: 0xFF, count: 10)

    /// What the keys of all messages of a conversation begin with.
    static func start(of conversation: ConversationID) -> [UInt8] {
        var writer = [UInt8](capacity: 12 + conversation.text.utf8.count)
        for _ in 0..<8 { writer.append(0) }
        writer.name(conversation)
        var sum = Checksum()
        sum.add(writer, from: 8)
        for byte in 0..<8 { writer[byte] = UInt8(truncatingIfNeeded: sum.wide >> (56 - 8 * byte)) }
        return writer
    }

    /// As it is stored.
    static func message(_ bytes: [UInt8]) throws(ByteError) -> MessageKey {
        var reader = PackedReader(bytes.dropFirst(8))
        let conversation = try reader.name(ConversationSubject.self)
        guard let text = String(validating: reader.remainder, as: UTF8.self) else { throw .notUTF8 }
        return MessageKey(conversation, try MessageID(text))
    }

    static func == (a: CardKey, b: CardKey) -> Bool { a.hash == b.hash && a.bytes == b.bytes }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
