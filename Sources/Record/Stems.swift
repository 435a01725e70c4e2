import Bytes

/// The usual beginning of a record: the skeleton of a plain text, its data for drawing, and the targets of a style as
/// it comes; and the places of nodes of such messages. A record is told by the stem that it is most like.
///
/// The list may only grow: records name its places. `LayoutRecord.md` has it, too.
struct Stem: Sendable {
    let head: [UInt8]
    /// The places as they stand in a row, one behind another.
    let places: [UInt8]
    /// The faces, all in points.
    let faces: [Face]

    static let all: [Stem] = StemList.all

    init(_ head: StaticString, places: StaticString, faces: [Face]) {
        self.head = Stem.bytes(head)
        self.places = Stem.bytes(places)
        self.faces = faces
    }

    private static func bytes(_ digits: StaticString) -> [UInt8] {
        let all = digits.withUTF8Buffer { buffer in unsafe Array(buffer) }.map { $0 < 58 ? $0 - 48 : $0 - 87 }
        return stride(from: 0, to: all.count, by: 2).map { all[$0] << 4 | all[$0 + 1] }
    }
}

/// Writes heads of records. Messages of a kind mostly have the same one.
struct HeadWriter: ~Copyable {
    private var own = Buffer<UInt8>(capacity: 512)
    /// The same head, as it is written.
    private var told = Buffer<UInt8>()
    /// The place in the list of stems, from 1; 0 for none.
    private(set) var stem = 0

    mutating func turn(to skeleton: borrowing SkeletonBytes, _ screens: borrowing SheetScreens) {
        own.removeAll()
        own.number(skeleton.shared.count)
        unsafe own.append(skeleton.shared.elements)
        own.number(skeleton.drawing.count)
        unsafe own.append(skeleton.drawing.elements)
        unsafe own.append(screens.bytes.elements)
        tell()
    }

    func write(to record: inout Buffer<UInt8>) { unsafe record.append(told.elements) }

    private mutating func tell() {
        var (prefix, suffix) = (0, 0)
        stem = 0
        for (place, other) in Stem.all.enumerated() {
            let (start, end) = own.common(with: other.head)
            if start + end > prefix + suffix { (stem, prefix, suffix) = (place + 1, start, end) }
        }
        told.removeAll()
        told.number(stem)
        if stem > 0 {
            told.number(prefix)
            told.number(suffix)
        }
        told.number(own.count - prefix - suffix)
        unsafe told.append(UnsafeBufferPointer(rebasing: own.elements[prefix..<own.count - suffix]))
    }
}

extension Buffer<UInt8> {
    /// The number of bytes that are the same at the start, and at the end; each is counted once.
    fileprivate func common(with other: [UInt8]) -> (start: Int, end: Int) {
        let most = Swift.min(count, other.count)
        var (start, end) = (0, 0)
        while start < most && self[start] == other[start] { start += 1 }
        while start + end < most && self[count - end - 1] == other[other.count - end - 1] { end += 1 }
        return (start, end)
    }
}

extension NumberReader {
    /// Reads a head, and the number of its stem.
    mutating func head() -> (bytes: [UInt8], stem: Int) {
        let place = number(upTo: Stem.all.count, of: "stem")
        let stem = place == 0 ? [] : Stem.all[place - 1].head
        let prefix = place == 0 ? 0 : number(upTo: stem.count, of: "stem")
        let suffix = place == 0 ? 0 : number(upTo: stem.count - prefix, of: "stem")
        let count = count(of: "head")
        var head: [UInt8] = []
        head.reserveCapacity(prefix + count + suffix)
        head += stem[..<prefix]
        unsafe head.append(contentsOf: rest.prefix(count))
        pass(count)
        head += stem[(stem.count - suffix)...]
        return (head, place)
    }
}
