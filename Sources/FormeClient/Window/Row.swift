import MessageLayout
import Names
import Record
import Rows
package import Wire

/// A row of a window: where it is, and what stands around its content. What is drawn in it say `RowFrames`.
public struct Row: Hashable, Sendable, Identifiable {
    public let id: RowID
    /// The id that its backend gave the message, or its sender until then; empty for no row.
    public let message: String
    /// Its place in the conversation.
    public let order: Int64
    /// Of its top, from the conversation's origin.
    public let y: Int64
    public let height: Int32
    /// Whether what is drawn in it is here, too; else it is asked for with `rows`.
    public let hasBody: Bool
    /// Whether all of its lines are here. Those of a text of more than twenty screens come one screen first, and the others
    /// by themselves; everything stands where it will from the beginning.
    public var isWhole: Bool { !RowExcerpt.isOne(layout) }
    /// `.none` where it has no body.
    public let decoration: Decoration
    let layout: [UInt8]
    /// Tells it from what the row was before, and will be; nil where it has no body.
    var mark: RowMark? {
        if layout.isEmpty { return nil }
        return RowExcerpt(of: layout)?.mark ?? RowMark(of: layout)
    }
    private let said: [UInt8]
    /// The files that its texts are drawn with, collapsed and expanded: what `/v1/fonts` lists a face or a slice as, and where it is
    /// fetched, `/v1/fonts/HASH`. Nil where it was not asked for, where the message is no longer retained, and where the gateway knows
    /// no fonts.
    public let fonts: [String]?

    public static let zero = Row(
        id: .none, message: "", order: 0, y: 0, height: 0, hasBody: false, decoration: .none, layout: [], said: [],
        fonts: nil)

    /// The message itself, as JSON, where it was asked for and is retained: its sender, time, revision and body. Else empty.
    public var json: String { String(decoding: said, as: UTF8.self) }

    /// In the window's coordinates.
    public var range: Range<Int64> { y..<y + Int64(height) }

    package init(_ row: WindowRow, y: Int64) {
        self.init(
            id: RowID(number: row.number.number), message: row.message.text, order: row.order, y: y,
            height: row.height, hasBody: row.body != nil,
            decoration: row.body.map { Decoration($0.decoration) } ?? .none, layout: row.body?.layout ?? [],
            said: row.body?.message ?? [], fonts: row.body?.fonts?.map(\.text))
    }

    private init(
        id: RowID, message: String, order: Int64, y: Int64, height: Int32, hasBody: Bool, decoration: Decoration,
        layout: [UInt8], said: [UInt8], fonts: [String]?
    ) {
        (self.id, self.message, self.order, self.y, self.height) = (id, message, order, y, height)
        (self.hasBody, self.decoration, self.layout, self.said) = (hasBody, decoration, layout, said)
        self.fonts = fonts
    }
}
