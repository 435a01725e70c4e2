package import Bytes
package import MessageLayout
import Typography

/// The way in which heights of a row's content are listed for some targets: one list stands in the head of each stored
/// row, so that conversations are sealed and opened without a look into records.
///
/// | bytes | |
/// |---|---|
/// | 4 | checksum of the targets, as a record tells them |
/// | 1 bit for each target | whether its heights are those of the last target before it of the same scale |
/// | signed, signed, signed | for each of the others: own height, less that of this target before; other, less own; other with name, less other |
///
/// The heights are those of the collapsed content, in device pixels. The lowest bit of a byte comes first.
package struct HeightPlan: Equatable, Sendable {
    package let targets: [Target]
    /// The checksum of the targets, which a list for them begins with.
    package let sum: UInt32
    /// The last target before each that has the same scale; itself where there is none.
    private let models: [Int]

    package init(_ targets: [Target]) {
        self.targets = targets
        var bytes = Buffer<UInt8>()
        bytes.append(targets)
        sum = Checksum.of(bytes.array(0..<Int32(bytes.count)))
        models = targets.indices.map { place in
            targets[..<place].lastIndex { $0.scale == targets[place].scale } ?? place
        }
    }

    /// Turns to other targets, where they are others.
    package mutating func turn(to targets: [Target]) { if self.targets != targets { self = HeightPlan(targets) } }

    package static func == (a: HeightPlan, b: HeightPlan) -> Bool { a.sum == b.sum && a.targets == b.targets }

    /// The checksum of the targets that a list is for; nil where there is no list.
    package static func sum(of list: ArraySlice<UInt8>) -> UInt32? {
        guard list.count >= 4 else { return nil }
        return list.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    // As plain numbers: `ContentHeights` of another module would be made and compared by calls.
    private typealias Plain = (own: Int32, other: Int32, named: Int32)

    /// Lists the heights of a sheet that has these targets; nothing where it has no layout.
    package func list(_ sheet: LayoutSheet) -> [UInt8] {
        guard sheet.columnCount > 0 else { return [] }
        var heights = Buffer<Plain>(capacity: targets.count)
        for group in 0..<sheet.groupCount {
            var (own, other) = (sheet.heights(0, in: group), sheet.heights(1, in: group))
            var named = sheet.heights(2, in: group)
            for lane in 0..<min(Lanes.scalarCount, targets.count - heights.count) {
                heights.append((own.number(in: lane), other.number(in: lane), named.number(in: lane)))
            }
        }
        return list(heights)
    }

    /// Lists heights, one for each of these targets.
    package func list(_ all: [ContentHeights]) -> [UInt8] {
        precondition(all.count == targets.count)
        var heights = Buffer<Plain>(capacity: all.count)
        for each in all { heights.append((each.own, each.other, each.otherWithName)) }
        return list(heights)
    }

    private func list(_ heights: borrowing Buffer<Plain>) -> [UInt8] {
        var list = Buffer<UInt8>(capacity: 8 + 8 * targets.count)
        list.word(sum)
        let bits = list.count
        list.append(repeating: 0, count: (targets.count + 7) / 8)
        for place in 0..<heights.count {
            let (found, model) = (heights[place], models[place])
            if place != model && heights[model] == found {
                list[bits &+ place >> 3] |= 1 << UInt8(truncatingIfNeeded: place & 7)
            } else {
                list.signed(found.own &- (place == model ? 0 : heights[model].own))
                list.signed(found.other &- found.own)
                list.signed(found.named &- found.other)
            }
        }
        return list.array(0..<Int32(list.count))
    }

    /// The heights in a list for these targets, one for each.
    package func heights(in list: ArraySlice<UInt8>) throws(ByteError) -> [ContentHeights] {
        var heights = Buffer<ContentHeights>(capacity: targets.count)
        try read(list, into: &heights)
        return heights.array(0..<Int32(heights.count))
    }

    /// Replaces `heights` with those in a list for these targets.
    package func read(_ list: ArraySlice<UInt8>, into heights: inout Buffer<ContentHeights>) throws(ByteError) {
        heights.removeAll()
        try unsafe list.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes)
            let told = reader.word(UInt32.self)
            if told != sum { reader.fail(.outOfRange(Int64(told), of: "targets")) }
            let bits = reader.place
            reader.pass((models.count + 7) / 8)
            guard reader.fault == nil else { return try reader.finish() }
            for (place, model) in models.enumerated() {
                var own = model == place ? ContentHeights(all: 0) : heights[model]
                if unsafe bytes[bits + place / 8] & 1 << (place % 8) == 0 {
                    own.own &+= reader.signed()
                    own.other = own.own &+ reader.signed()
                    own.otherWithName = own.other &+ reader.signed()
                }
                heights.append(own)
            }
            try reader.finish()
        }
    }
}

extension LayoutSheet {
    /// The heights of the collapsed content on the targets of a group. The last variant stands for those that are not
    /// there.
    fileprivate func heights(_ variant: Int32, in group: Int) -> Lanes {
        sizes[place(group, Int(min(variant, variantCount - 1) * stateCount))].height
    }
}
