/// A parser of an answer that never ends: a head, then chunks of Server-Sent Events, whose lines it finds however the
/// bytes are cut.
struct StreamText {
    /// Nil until the head has begun.
    private(set) var status: Int?
    private(set) var isOver = false
    private var state = State.head
    private var control: [UInt8] = []
    private var line: [UInt8] = []

    private enum State {
        case head
        /// The size of the next chunk.
        case size
        case chunk(left: Int)
        /// The line end behind a chunk.
        case gap(left: Int)
    }

    /// - Parameter body: hears every line of the events, without its end.
    mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes
        while !rest.isEmpty, !isOver {
            switch state {
            case .head:
                guard let field = takeControl(&rest) else { return }
                if status == nil { status = field.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
                if field.isEmpty { state = .size }
            case .size:
                guard let field = takeControl(&rest) else { return }
                let size = Int(field, radix: 16) ?? 0
                state = .chunk(left: size)
                isOver = size == 0
            case .chunk(let left):
                let part = rest.prefix(left)
                rest = rest.dropFirst(part.count)
                takeLines(part, body)
                state = part.count == left ? .gap(left: 2) : .chunk(left: left - part.count)
            case .gap(let left):
                let count = min(left, rest.count)
                rest = rest.dropFirst(count)
                state = count == left ? .size : .gap(left: left - count)
            }
        }
    }

    /// Takes a line of the protocol, once it is whole.
    private mutating func takeControl(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            control += rest
            rest = []
            return nil
        }
        control += rest[..<end]
        rest = rest[(end + 1)...]
        defer { control = [] }
        return String(decoding: control.last == UInt8(ascii: "\r") ? control.dropLast() : control[...], as: UTF8.self)
    }

    private mutating func takeLines(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if line.isEmpty {
                body(rest[..<end])
            } else {
                line += rest[..<end]
                body(line[...])
                line.removeAll(keepingCapacity: true)
            }
            rest = rest[(end + 1)...]
        }
        line += rest
    }
}
