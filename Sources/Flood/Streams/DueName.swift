package import Bytes
package import Names
import Wire

/// A name for a message that has the time at which it was due, so that its readers know how late it is.
package enum DueName {
    private static let mark = Array("due-".utf8)
    private static let digits = 12

    /// - Parameter time: microseconds since a moment that all agree on.
    package static func message(_ time: UInt64) throws(ByteError) -> MessageID {
        let text = String(time, radix: 16)
        return try MessageID("due-" + String(repeating: "0", count: max(0, digits - text.count)) + text)
    }

    /// The times of all such names in a line, each once, the earliest first.
    static func all(in line: ArraySlice<UInt8>) -> [UInt64] {
        var all: Set<UInt64> = []
        var rest = line
        while let start = rest.firstIndex(of: mark[0]), rest.endIndex - start >= mark.count + digits {
            rest = rest[start...]
            guard rest.starts(with: mark) else {
                rest = rest.dropFirst()
                continue
            }
            let text = String(decoding: rest[(start + mark.count)..<(start + mark.count + digits)], as: UTF8.self)
            if let time = UInt64(text, radix: 16) { all.insert(time) }
            rest = rest.dropFirst(mark.count + digits)
        }
        return all.sorted()
    }
}
