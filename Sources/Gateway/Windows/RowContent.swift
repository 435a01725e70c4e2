import MessageLayout
import Wire

/// The content of a row, as it is drawn.
struct RowContent {
    /// The layout that `RecordCutter` cut, or a `RowComposer` made.
    let layout: [UInt8]
    /// The size of the collapsed row.
    let size: PixelSize
    /// The job that made the row what it is.
    let job: JobNumber
    /// The long text; nil for a row of few lines.
    let text: LongText?
    /// The edition that it is of, where that is not its timeline's.
    var filler: EditionID?

    /// The bytes of memory that it takes, about.
    var bytes: Int { layout.count * (text == nil ? 1 : 2) + Self.overhead }
    /// The bytes beside the layout: its array, and places in a table and a queue that are half empty.
    private static let overhead = 288

    /// The whole layout, or the lines of it that are to be sent.
    /// - Parameter top: the y at which its content begins.
    func layout(for sight: Sight, from top: Int64) -> [UInt8] { text?.excerpt(for: sight, from: top) ?? layout }
}
