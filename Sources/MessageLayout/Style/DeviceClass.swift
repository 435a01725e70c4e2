import JSON
import Typography

/// A class of row widths, and the values that a style has on them instead of its own: small phones, tablets.
package struct DeviceClass: Hashable, Sendable {
    package var name: String
    /// The widths of its rows, in points.
    package var rows: Range<Int32>
    package var lengths: [String: StyleLength]
    package var roles: [String: TextRole]
    package var room: RoomRule?

    /// The class of all rows, which changes nothing: for widths that are in no class.
    package static let every = DeviceClass(name: "every", rows: 0..<Int32.max, lengths: [:], roles: [:], room: nil)
}

extension DeviceClass {
    /// `{ below: 350, lengths: { … }, texts: { … }, room: { … } }`. It changes values of the style, and adds none.
    init(_ name: String, _ reader: JSONReader, over sheet: borrowing StyleTables) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["from", "below", "lengths", "texts", "room"])
        let from = try fields.optional("from")?.integer(in: 0...16_384) ?? 0
        let below = try fields.optional("below")?.integer(in: from + 1...16_384)
        self.name = name
        rows = Int32(from)..<(below.map { Int32($0) } ?? Int32.max)
        (lengths, roles) = ([:], [:])
        for (key, reader) in try fields.optional("lengths")?.object().all ?? [] {
            guard sheet.lengths[key] != nil else { throw reader.mismatch(expected: "a length that the style has") }
            lengths[key] = try StyleLength(reader)
        }
        for (key, reader) in try fields.optional("texts")?.object().all ?? [] {
            guard let base = sheet.roles[key] else { throw reader.mismatch(expected: "a text that the style has") }
            let role = try TextRole(reader, over: base)
            // A text is measured once, for all classes.
            guard role.style == base.style else {
                throw reader.mismatch(expected: "weight and slant as in all classes")
            }
            roles[key] = role
        }
        room = nil
        if let own = fields.optional("room") { room = try RoomRule(own, over: sheet.room) }
    }
}
