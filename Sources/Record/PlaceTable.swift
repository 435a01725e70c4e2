import Bytes
import Typography

/// The places of a record. They are much the same from message to message, so what each is in bytes is kept, and a record
/// numbers those that it needs in the order in which they are asked for.
struct PlaceTable: ~Copyable {
    /// Of all messages.
    var chunks = ChunkTable()
    /// For each chunk the message that it was last in, and its number there.
    private var numbers = Buffer<Numbered>()
    private var message: UInt64 = 0
    /// Of this message.
    private(set) var bytes = Buffer<UInt8>(capacity: 512)
    private(set) var count = 0

    // Not private: the compiler stumbles over memory of what other files cannot name.
    struct Numbered {
        var message: UInt64 = 0
        var number: Int32 = 0
    }

    private static let most = 4096

    /// Turns to another message. False when it holds so many places that it forgot all.
    mutating func begin() -> Bool {
        bytes.removeAll()
        count = 0
        message += 1
        guard chunks.count > PlaceTable.most else { return true }
        chunks.removeAll()
        numbers.removeAll()
        return false
    }

    /// From 1, in this message.
    @inline(__always)
    mutating func number(of chunk: Int32) -> Int32 {
        let chunk = Int(chunk)
        if chunk >= numbers.count || numbers[chunk].message != message { add(chunk) }
        return numbers[chunk].number
    }

    private mutating func add(_ chunk: Int) {
        while numbers.count <= chunk { numbers.append(Numbered()) }
        chunks.append(chunk, to: &bytes)
        count += 1
        numbers[chunk] = Numbered(message: message, number: Int32(count))
    }
}
