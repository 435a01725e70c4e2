import Bytes
import MessageLayout
import Typography

/// How far the layouts of each target reach, told from its own row: two bytes to a target, as a rule.
extension Buffer<UInt8> {
    mutating func append(_ reaches: [LayoutSheet.Reach], of targets: [Target]) {
        precondition(reaches.count == targets.count)
        var last = LayoutSheet.Reach.unlimited
        for i in targets.indices {
            let (own, row) = (reaches[i], targets[i].rowPixels)
            precondition(0 <= own.narrowest && own.narrowest <= row && row <= own.widest)
            number(own.narrowest == last.narrowest ? 0 : UInt32(row - own.narrowest) + 1)
            if own.widest == last.widest {
                number(0 as UInt32)
            } else {
                number(own.widest == LayoutSheet.Reach.unbounded ? 1 : UInt32(own.widest - row) + 2)
            }
            let beginsGroup = i == 0 || !targets[i].follows(targets[i - 1])
            precondition(beginsGroup || own.naturalWidth == last.naturalWidth)
            if beginsGroup { number(own.naturalWidth) }
            last = own
        }
    }
}

/// Walks over the reaches of a record.
struct ReachWalk {
    private var last = LayoutSheet.Reach.unlimited

    mutating func next(_ reader: inout NumberReader, row: Int32, beginsGroup: Bool) -> LayoutSheet.Reach {
        let less = Int64(reader.number())
        if less > 0 { last.narrowest = Int32(clamping: Int64(row) + 1 - less) }
        let more = Int64(reader.number())
        if more > 0 {
            last.widest = more == 1 ? LayoutSheet.Reach.unbounded : Int32(clamping: Int64(row) + more - 2)
        }
        if beginsGroup { last.naturalWidth = reader.length() }
        if last.narrowest < 0 || last.narrowest > row {
            reader.fail(.outOfRange(Int64(last.narrowest), of: "narrowest"))
        }
        if last.widest < row { reader.fail(.outOfRange(Int64(last.widest), of: "widest")) }
        return last
    }
}
