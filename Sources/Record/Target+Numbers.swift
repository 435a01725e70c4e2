package import Bytes
package import MessageLayout
import Typography

/// The targets of a record, in groups that share everything but the width: thirteen take some thirty bytes.
extension Buffer<UInt8> {
    package mutating func append(_ targets: [Target]) {
        var groups = 0
        for i in targets.indices where i == 0 || !targets[i].follows(targets[i - 1]) { groups += 1 }
        number(groups)
        var start = 0
        while start < targets.count {
            var end = start + 1
            while end < targets.count && targets[end].follows(targets[end - 1]) { end += 1 }
            append(targets[start..<end])
            start = end
        }
    }

    private mutating func append(_ group: ArraySlice<Target>) {
        guard let first = group.first else { return }
        var head = UInt32(group.count) << RecordForm.groupShift
        let arePoints = group.allSatisfy { $0.width.raw & 63 == 0 }
        if first.isMirrored { head |= RecordForm.mirrored }
        if first.textScale != .one { head |= RecordForm.scaledText }
        if arePoints { head |= RecordForm.wholePoints }
        number(head)
        number(first.scale.thousandths)
        if first.textScale != .one { number(first.textScale.percent) }
        var last = first.width.raw
        number(arePoints ? last >> 6 : last)
        for target in group.dropFirst() {
            let less = last &- target.width.raw
            number(arePoints ? less >> 6 : less)
            last = target.width.raw
        }
    }
}

extension Target {
    /// Whether it belongs to the group of the target before it.
    func follows(_ other: Target) -> Bool {
        scale.thousandths == other.scale.thousandths && textScale.percent == other.textScale.percent
            && isMirrored == other.isMirrored && width.raw <= other.width.raw
    }
}

/// Walks over the targets of a record.
package struct TargetWalk {
    private(set) var groupsLeft: Int
    private var widthsLeft = 0
    private var head: UInt32 = 0
    private var current = Target(width: .zero, scale: .one)
    private(set) var index = -1
    /// Place of the first target of the group.
    private(set) var group = 0

    package init(_ reader: inout NumberReader) { groupsLeft = reader.count(of: "targets", upTo: RecordLimits.targets) }

    /// The next target; nil at the end, and at a fault.
    package mutating func next(_ reader: inout NumberReader) throws(ByteError) -> Target? {
        if widthsLeft == 0 && groupsLeft == 0 { return nil }
        guard index + 1 < RecordLimits.targets else {
            throw .tooLong(index + 2, limit: RecordLimits.targets, of: "targets")
        }
        index += 1
        var width = current.width.raw
        if widthsLeft == 0 {
            groupsLeft -= 1
            group = index
            head = reader.number()
            widthsLeft = Int(head >> RecordForm.groupShift)
            guard widthsLeft > 0 else { throw reader.fault ?? .empty("targets") }
            current.scale.thousandths = reader.length()
            current.textScale.percent = head & RecordForm.scaledText == 0 ? 100 : reader.length()
            width = points(&reader)
        } else {
            width &-= points(&reader)
        }
        widthsLeft -= 1
        if let fault = reader.fault { throw fault }
        current = try Target(
            checkedWidth: width, scale: current.scale.thousandths, textScale: current.textScale.percent,
            isMirrored: head & RecordForm.mirrored != 0)
        return current
    }

    private func points(_ reader: inout NumberReader) -> Int32 {
        head & RecordForm.wholePoints == 0 ? reader.length() : reader.length() << 6
    }
}
