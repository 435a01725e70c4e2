import MessageLayout
import Wire

/// What is drawn in a row.
struct RowContent {
    /// What `RecordCutter` cut.
    let layout: [UInt8]
    /// Collapsed.
    let size: PixelSize
    /// With which the row became what it is.
    let job: JobNumber
    /// Nil for a row of few lines.
    let text: LongText?
    /// The edition that it is of, where that is not its timeline's.
    var filler: EditionID?

    /// Of the memory that it takes, about.
    var bytes: Int { layout.count * (text == nil ? 1 : 2) + Self.overhead }
    private static let overhead = 192

    /// All of it, or the lines of it that are to be sent.
    /// - Parameter top: where its content begins.
    func layout(for sight: Sight, from top: Int64) -> [UInt8] { text?.excerpt(for: sight, from: top) ?? layout }
}
