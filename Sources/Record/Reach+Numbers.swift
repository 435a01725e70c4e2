import Bytes
import MessageLayout
import Typography

/// Walks over the reaches of a record of version 1 or 2.
struct PreviousReachWalk {
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
