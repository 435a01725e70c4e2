import MessageLayout
import Names
import Record
import Rows
package import Wire

/// A row of a window: its place, and the things around its content. `RowFrames` has the frames in it.
public struct Row: Hashable, Sendable, Identifiable {
    public let id: RowID
    /// The id that its backend gave the message, or its sender until then; empty for no row.
    public let message: String
    /// Its place in the conversation.
    public let order: Int64
    /// The y of its top, from the conversation's origin.
    public let y: Int64
    public let height: Int32
    /// Whether its body is here, too; else `OpenWindow.bodies(of:)` asks for it.
    public let hasBody: Bool
    /// Whether all of its lines are here. A text of more than twenty screens comes one screen first, and the other
    /// lines follow by themselves; everything stands in its final place from the beginning.
    public var isWhole: Bool { !RowExcerpt.isOne(layout) }
    /// Its decoration; `.none` where it has no body.
    public let decoration: Decoration
    let layout: [UInt8]
    /// The mark of this revision, different from earlier and later ones; nil where it has no body.
    var mark: RowMark? {
        if layout.isEmpty { return nil }
        return RowExcerpt(of: layout)?.mark ?? RowMark(of: layout)
    }
    private let said: [UInt8]
    /// The font files that its texts are drawn with, collapsed and expanded, by the hashes that `/v1/fonts` lists for
    /// a face or a slice; each is fetched from `/v1/fonts/HASH`. Nil where they were not asked for, where the message
    /// is no longer retained, and where the gateway knows no fonts.
    public let fonts: [String]?

    public static let zero = Row(
        id: .none, message: "", order: 0, y: 0, height: 0, hasBody: false, decoration: .none, layout: [], said: [],
        fonts: nil)

    /// The message itself, as JSON, where it was asked for and is retained: its sender, time, revision and body. Else
    /// empty.
    public var json: String { String(decoding: said, as: UTF8.self) }

    /// Its range of y in the window.
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
