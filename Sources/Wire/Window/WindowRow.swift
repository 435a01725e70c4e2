package import Bytes
package import MessageLayout
package import Names
import Record
package import Rows

/// A row of a window. Its height is there from the beginning; its body may come later.
package struct WindowRow: Hashable, Sendable {
    package var number: MessageNumber
    package var message: MessageID
    package var order: Int64
    package var height: Int32
    /// The distance of the content from the top of the row, and the height of the content.
    package var lead: Int32
    package var strip: Int32
    package var body: Body?

    /// The part of a row that is drawn.
    package struct Body: Hashable, Sendable {
        package var decoration: Decoration
        /// The layout that `RecordCutter` cut from the cache, or an excerpt of it.
        package var layout: [UInt8]
        /// The message of this layout, as `SaidMessage` writes it; nil where it was not asked for, is retained no
        /// longer, or has changed and is not laid out anew yet.
        package var message: [UInt8]?
        /// The edition of the layout, where it is not that of the window and the client asked to be told.
        package var filler: EditionID?
        /// The measured texts, for the runs of the lines; in JSON alone, and where they were asked for.
        package var measures: Measures?
        /// The font files of its texts in any state; nil where nobody asked, or they are not known.
        package var fonts: [FontHash]?

        package struct Measures: Hashable, Sendable {
            package var texts: [UInt8]
            package var target: Target
            package init(texts: [UInt8], target: Target) { (self.texts, self.target) = (texts, target) }
        }

        package init(decoration: Decoration, layout: [UInt8], message: [UInt8]? = nil, filler: EditionID? = nil) {
            (self.decoration, self.layout, self.message) = (decoration, layout, message)
            self.filler = filler
        }
    }

    package init(
        number: MessageNumber, message: MessageID, order: Int64, height: Int32, lead: Int32, strip: Int32,
        body: Body? = nil
    ) {
        (self.number, self.message, self.order) = (number, message, order)
        (self.height, self.lead, self.strip, self.body) = (height, lead, strip, body)
    }
}

extension WindowRow.Body {
    /// Whether some of its lines are still to come.
    package var isExcerpt: Bool { RowExcerpt.isOne(layout) }

    /// The mark of a row that is here as a whole, with all that drawing needs; nil of any other.
    var mark: RowMark? { RowVersion(ofWhole: layout) == .second ? RowMark(of: layout) : nil }

    /// The body with the lines of an older one, if this is an excerpt of the same row.
    package func keepingLines(of old: WindowRow.Body?) -> WindowRow.Body {
        guard isExcerpt, let old else { return self }
        do throws(ByteError) {
            var body = self
            body.layout = try RowLines(layout).united(with: RowLines(old.layout))
            body.message = message ?? old.message
            body.fonts = fonts ?? old.fonts
            return body
        } catch {
            return self
        }
    }
}

extension WindowRow {
    package func keepingLines(of old: WindowRow) -> WindowRow {
        var row = self
        row.body = body?.keepingLines(of: old.body)
        return row
    }
}

extension WindowChange.Kind {
    /// The rows that the change brings.
    package var rows: [WindowRow] {
        switch self {
        case .insert(_, let rows): rows
        case .remove: []
        case .replace(_, let row), .move(_, _, let row), .redecorate(_, let row): [row]
        }
    }
}

extension WindowRow.Body {
    /// The layout, decoded.
    /// - Parameter state: the state of the message; where it has fewer, the last.
    package func model(state: Int = 0) throws(ByteError) -> LayoutModel {
        var page = LayoutRows()
        try page.append(layout)
        let states = page.rows[0].states.count
        guard states > 0 else { throw .empty("states") }
        return page.model(row: 0, state: min(state, states - 1))
    }
}
