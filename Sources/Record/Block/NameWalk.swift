import Bytes
import Names

/// Names that are told by the ones before them: the start that two names share is told as its length, and the digits
/// of a random id take half a byte each.
///
/// The head of a name is a number: its bytes that differ × 4, and 2 if they are hexadecimal, and 1 if it is not as
/// long as the name before. Then the number of bytes that are the same follows.
struct NameWalk {
    private var last: [UInt8] = []

    mutating func next(
        _ reader: inout NumberReader, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> String {
        let head = reader.number()
        let count = Int(head >> 2)
        let same = head & 1 == 0 ? last.count - count : reader.number(upTo: last.count, of: "name")
        guard same >= 0, same <= last.count, same + count <= MessageID.mostBytes else {
            throw .tooLong(same + count, limit: MessageID.mostBytes, of: "name")
        }
        if head & 2 != 0 {
            try readDigits(from: same, count, &reader)
        } else {
            let start = reader.place
            reader.pass(count)
            if let fault = reader.fault { throw fault }
            last.removeLast(last.count - same)
            // Mostly a digit or two.
            for place in start..<start + count { unsafe last.append(bytes[place]) }
        }
        // Bytes that are no text are repaired, and then are not as many or not the same.
        let text = String(decoding: last, as: UTF8.self)
        let isText = last.allSatisfy { $0 < 0x80 } || text.utf8.elementsEqual(last)
        guard isText else { throw .notUTF8 }
        return text
    }

    /// Reads hexadecimal digits. Where the name before has a dash, this one has it, too.
    private mutating func readDigits(
        from start: Int, _ count: Int, _ reader: inout NumberReader
    ) throws(ByteError) {
        let dashes = (start..<start + count).filter { isDash($0) }
        last.removeLast(last.count - start)
        var pair: UInt8?
        for place in start..<start + count {
            if dashes.contains(place) {
                last.append(UInt8(ascii: "-"))
            } else if let byte = pair {
                last.append(NameWalk.digits[Int(byte >> 4)])
                pair = nil
            } else {
                let byte = reader.byte()
                last.append(NameWalk.digits[Int(byte & 15)])
                pair = byte
            }
        }
        if let fault = reader.fault { throw fault }
    }

    private func isDash(_ place: Int) -> Bool { place < last.count && last[place] == UInt8(ascii: "-") }

    private static let digits = Array("0123456789abcdef".utf8)

    mutating func write(_ text: String, to column: inout Buffer<UInt8>) {
        var text = text
        text.withUTF8 { name in
            var same = 0
            while unsafe same < min(name.count, last.count) && name[same] == last[same] { same += 1 }
            let count = name.count - same
            let isOther = name.count != last.count
            let isHex = count > 2 && (same..<name.count).allSatisfy { unsafe isHexadecimal(name[$0], at: $0) }
            column.number(count << 2 | (isHex ? 2 : 0) | (isOther ? 1 : 0))
            if isOther { column.number(same) }
            if isHex { unsafe writeDigits(name, from: same, to: &column) }
            for place in same..<(isHex ? same : name.count) { unsafe column.append(name[place]) }
            last.removeAll(keepingCapacity: true)
            unsafe last.append(contentsOf: name)
        }
    }

    private func isHexadecimal(_ byte: UInt8, at place: Int) -> Bool {
        isDash(place) ? byte == UInt8(ascii: "-") : NameWalk.digit(byte) != nil
    }

    private func writeDigits(
        _ name: UnsafeBufferPointer<UInt8>, from start: Int, to column: inout Buffer<UInt8>
    ) {
        var half: UInt8?
        for place in start..<name.count {
            guard !isDash(place), let digit = unsafe NameWalk.digit(name[place]) else { continue }
            if let low = half {
                column.append(low | digit << 4)
                half = nil
            } else {
                half = digit
            }
        }
        if let half { column.append(half) }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
