import MessageLayout
import Storage
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

    /// All of it, or the lines of it that are to be sent.
    /// - Parameter top: where its content begins.
    func layout(for sight: Sight, from top: Int64) -> [UInt8] {
        if let wanted = sight.wanted {
            if let all = RowLines(of: layout), all.mark == wanted.mark { return all.excerpt(wanted.lines) }
        }
        guard let first = text?.first(for: sight, from: top) else { return layout }
        return RowLines(of: layout)?.excerpt(first) ?? layout
    }
}

extension RowLines {
    /// Nil for what cannot be cut: that is sent whole.
    fileprivate init?(of layout: [UInt8]) {
        do throws(WireError) { try self.init(layout) } catch { return nil }
    }
}
