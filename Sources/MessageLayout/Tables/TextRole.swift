package import JSON
package import Typography

/// The setting of texts of one sort: body, caption, sender's name.
package struct TextRole: Hashable, Sendable {
    package var size: Fixed
    /// The distance from one baseline to the next.
    package var lineHeight: Fixed
    package var style: TextStyle
    /// Whether it grows with the reader's text size.
    package var isScaled: Bool

    package init(size: Fixed, lineHeight: Fixed, style: TextStyle = .regular, isScaled: Bool = true) {
        self.size = size
        self.lineHeight = lineHeight
        self.style = style
        self.isScaled = isScaled
    }

    /// `{ size: 16, line: 22, weight: 700 }`. Missing values are those of `base`, or those of most text.
    package init(_ reader: JSONReader, over base: TextRole? = nil) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["size", "line", "weight", "italic", "monospaced", "scaled"])
        func points(_ key: String, _ inherited: Fixed?) throws(JSONError) -> Fixed {
            if let own = fields.optional(key) { return try own.points(in: 1...1024) }
            if let inherited { return inherited }
            return try fields.required(key).points(in: 1...1024)
        }
        self.init(size: try points("size", base?.size), lineHeight: try points("line", base?.lineHeight))
        style = base?.style ?? .regular
        if let weight = try fields.optional("weight")?.integer(in: 1...1000) { style.weight = Int16(weight) }
        if let italic = try fields.optional("italic")?.bool() { style.isItalic = italic }
        if let monospaced = try fields.optional("monospaced")?.bool() { style.isMonospaced = monospaced }
        isScaled = try fields.optional("scaled")?.bool() ?? base?.isScaled ?? true
    }
}

/// A role by its place in the style's table.
package struct TextRoleID: Hashable, Sendable {
    package var place: Int16
}
