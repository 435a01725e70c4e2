import Bytes
import MessageLayout

/// Walks over the columns of a record: for each variant and state one of shapes, then one for each thing that has
/// contents.
struct ColumnWalk {
    private var reader: NumberReader
    private let targetCount: Int
    /// The things that have contents, in order: twice a node, and 1 for its bars.
    private var filled: [Int] = []

    /// The walk must not outlive the buffer.
    init(_ record: LayoutRecord, _ bytes: UnsafeBufferPointer<UInt8>) {
        targetCount = record.targets.count
        let columns = record.parts.previous?.columns ?? 0..<0
        reader = unsafe NumberReader(bytes, from: columns.lowerBound, to: columns.upperBound)
        let count = reader.count(of: "filled")
        filled.reserveCapacity(count)
        for _ in 0..<count {
            let number = Int(reader.number())
            if number <= filled.last ?? -1 || number >= 2 * record.head.nodeCount {
                reader.fail(.outOfRange(Int64(number), of: "filled"))
            }
            filled.append(number)
        }
    }

    var fault: ByteError? { reader.fault }

    /// Whether a thing has a content in the layout that has these numbers.
    func fills(_ number: Int, _ layout: borrowing Buffer<Int32>) -> Bool {
        guard let place = filled.firstIndex(of: number) else { return false }
        return layout[place + 1] > 0
    }

    /// Reads the numbers of the next variant and state at one target; those that are not told are as in `base`.
    mutating func read(
        _ target: Int, like base: borrowing Buffer<Int32>, isFirst: Bool, into numbers: inout Buffer<Int32>
    ) {
        numbers.removeAll()
        for i in 0...filled.count {
            let head = Int(reader.number())
            if head == 0 {
                if isFirst { reader.fail(.outOfRange(0, of: "column")) }
                numbers.append(isFirst || i >= base.count ? 0 : base[i])
            } else {
                numbers.append(head == 1 ? one(target) : stretch(target, of: head - 1))
            }
        }
    }

    private mutating func one(_ target: Int) -> Int32 {
        reader.skip(target)
        let number = reader.length()
        reader.skip(targetCount - target - 1)
        return number
    }

    private mutating func stretch(_ target: Int, of count: Int) -> Int32 {
        var found: Int32 = -1
        var end = 0
        for _ in 0..<reader.items(count) {
            end += Int(reader.number())
            let number = reader.length()
            if found < 0 && end > target { found = number }
        }
        if end != targetCount || found < 0 { reader.fail(.outOfRange(Int64(end), of: "column")) }
        return found
    }

    /// Passes over a variant and state, and checks that its columns are whole.
    mutating func skip() {
        for _ in 0...filled.count {
            let head = Int(reader.number())
            if head == 1 { reader.skip(targetCount) }
            if head > 1 { _ = stretch(0, of: head - 1) }
        }
    }

    mutating func finish() throws(ByteError) {
        if let fault = reader.fault { throw fault }
        guard reader.left == 0 else { throw .trailing(count: reader.left) }
    }
}
