import MessageLayout

/// The heights of rows that are told one after another. Each is known when the next row is.
///
///     var walk = HeightWalk(ruler, below: nil)
///     for row in rows { extent += Int64(walk.next(row)) }
///     extent += Int64(walk.finish(above: nil))
package struct HeightWalk: Sendable {
    package var ruler: RowRuler
    package internal(set) var last: RowBrief?
    /// The height of the last row, if another of its series follows and if none does. Both are 0 for the row above
    /// all that are told, as its height is not asked for here.
    var joined: Int32 = 0
    var ending: Int32 = 0
    private var hasRow = false

    package init(_ ruler: RowRuler, below row: RowBrief?) {
        self.ruler = ruler
        last = row
    }

    /// Takes the next row, and returns the height of the row before; 0 when this is the first that is told.
    package mutating func next(_ row: RowBrief) -> Int32 {
        let seam = ruler.inlinedSeam(between: last, and: row)
        let height = seam.joins ? joined : ending
        let parts = ruler.parts(of: row, below: seam)
        (joined, ending) = (parts.lead + parts.strip, parts.lead + parts.lastStrip)
        (last, hasRow) = (row, true)
        return height
    }

    /// Returns the height of the last row; 0 when none was told.
    package mutating func finish(above row: RowBrief?) -> Int32 {
        guard hasRow, let last else { return 0 }
        guard let row else { return ending + ruler.trail }
        return ruler.seam(between: last, and: row).joins ? joined : ending
    }
}
