import Bytes
import MessageLayout

/// The head of a record: nodes and words that all its layouts share, the data for drawing, and the targets. Records
/// that come one after another mostly have the same one in memory, so that a copy of a record copies nothing of it.
final class RecordHead: Equatable, Sendable {
    /// The bytes of the head. In records of versions before, the head stands in front of all else, and these are all
    /// bytes.
    let bytes: [UInt8]
    let stem: Int
    let nodeCount: Int
    let shared: Range<Int>
    /// Empty if the record has no data for drawing.
    let drawing: Range<Int>
    let screens: Screens
    private let targets: Range<Int>

    /// Head of no record.
    static let none = RecordHead()

    private init() {
        (bytes, stem, nodeCount, shared, drawing) = ([], 0, 0, 0..<0, 0..<0)
        (screens, targets) = (Screens(), 0..<0)
    }

    /// - Parameters:
    ///   - bytes: those that are read.
    ///   - other: a head that was read before; if it has the same targets, they are not read again.
    init(
        _ reader: inout NumberReader, of bytes: [UInt8], stem: Int = 0, hasDrawing: Bool, like other: RecordHead?
    ) throws(ByteError) {
        let sharedCount = reader.count(of: "shared")
        let shared = reader.place..<reader.place + sharedCount
        var ahead = reader
        let nodeCount = ahead.number(upTo: RecordLimits.nodes, of: "nodes")
        reader.pass(sharedCount)
        let drawing = hasDrawing ? reader.part(reader.count(of: "drawing")) : 0..<0
        if let fault = ahead.fault { throw fault }
        let start = reader.place
        var screens = Screens()
        if let other, unsafe other.hasTargets(in: reader.rest) {
            screens = other.screens
            reader.pass(other.targets.count)
        } else {
            var walk = TargetWalk(&reader)
            while let target = try walk.next(&reader) { screens.append(target) }
        }
        (self.bytes, self.stem, self.nodeCount, self.shared) = (bytes, stem, nodeCount, shared)
        (self.drawing, self.screens, targets) = (drawing, screens, start..<reader.place)
    }

    static func == (one: RecordHead, other: RecordHead) -> Bool {
        one === other
            || one.bytes == other.bytes && one.stem == other.stem && one.nodeCount == other.nodeCount
                && one.shared == other.shared && one.drawing == other.drawing && one.targets == other.targets
                && one.screens == other.screens
    }

    /// Whether bytes begin with its targets; their number is told first, so that no others follow.
    private func hasTargets(in other: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe other.begins(with: UnsafeBufferPointer(rebasing: bytes[targets]))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Compares eight bytes at a time, as each record that is opened and each row of a page is compared.
    func begins(with other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard other.count <= count else { return false }
        let (own, other) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var place = 0
        while place &+ 8 <= other.count {
            let (one, its) = unsafe (
                own.loadUnaligned(fromByteOffset: place, as: UInt64.self),
                other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            )
            if one != its { return false }
            place &+= 8
        }
        while place < other.count {
            if unsafe own[place] != other[place] { return false }
            place &+= 1
        }
        return true
    }
}
