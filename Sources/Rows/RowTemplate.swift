import JSON
package import MessageLayout
package import Typography

/// The things beside and above the content of a row: `avatar and name`, `bare`, and as many more as a style likes. A
/// kind of message names the template that it wants.
package struct RowTemplate: Hashable, Sendable {
    package var name: String
    /// The side of the row for content that the viewer sent, and for that of others. A bubble style sends them to
    /// opposite edges, a flat one to the same.
    package var own: Alignment
    package var other: Alignment
    /// The lengths that are kept free at the edges of the row.
    package var startInset: Fixed
    package var endInset: Fixed
    /// Nil for a template without one.
    package var avatar: AvatarRule?
    package var senderName: NameRule?
    package var isSelectable: Bool
    /// Nil for a template of the style that it stands in.
    package var guest: ForeignTemplate?
}

/// The rules of another style for its rows among those of a style. The space between rows follows the rules of the
/// style among whose rows they stand.
package struct ForeignTemplate: Hashable, Sendable {
    /// The name of their template in their own style: a series goes on through rows of the same name.
    package var template: String
    package var corners: CornerRule
    package var failedIcon: FailedIcon?
    package var selectionHandle: SelectionHandle?

    package init(_ template: String, of style: DecorationStyle) {
        self.template = template
        (corners, failedIcon, selectionHandle) = (style.corners, style.failedIcon, style.selectionHandle)
    }
}

/// The picture of the sender: once in a series, and the room beside the others of the series stays free.
package struct AvatarRule: Hashable, Sendable {
    package var size: Fixed
    /// The gap to the content.
    package var gap: Fixed
    package var place: Place
    package var audience: Audience

    package enum Place: Hashable, Sendable {
        /// Beside the first of a series, level with its top.
        case start
        /// Beside the last, level with its bottom.
        case end
        /// Above the first, over the middle of its content.
        case centred
    }
}

/// The name of the sender is a part of the content (it has to be measured): this rule chooses the variant that has it.
package struct NameRule: Hashable, Sendable {
    /// Whether it stands above every message, and not only above the first of a series.
    package var isOnEveryRow: Bool
    package var audience: Audience
}

/// The messages for which a sender is shown.
package struct Audience: Hashable, Sendable {
    /// Whether the viewer's own are among them.
    package var includesOwn: Bool
    /// Whether those in conversations of two are among them, where the speaker is known anyway.
    package var includesDirect: Bool
}

extension RowTemplate {
    static func list(_ reader: JSONReader) throws(JSONError) -> [RowTemplate] {
        var templates: [RowTemplate] = []
        for (name, template) in try reader.object().all { templates.append(try RowTemplate(template, name: name)) }
        guard !templates.isEmpty else { throw reader.mismatch(expected: "at least one row template") }
        return templates
    }

    private init(_ reader: JSONReader, name: String) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["align", "insets", "avatar", "name", "selectable"])
        let align = try fields.required("align").object(knownKeys: ["own", "other"])
        let insets = try fields.required("insets").object(knownKeys: ["start", "end"])
        self.name = name
        own = try align.required("own").side()
        other = try align.required("other").side()
        startInset = try insets.required("start").points()
        endInset = try insets.required("end").points()
        avatar = try fields.optional("avatar").map(AvatarRule.init(_:))
        senderName = try fields.optional("name").map(NameRule.init(_:))
        isSelectable = try fields.optional("selectable")?.bool() ?? true
    }
}

extension AvatarRule {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["size", "gap", "at", "own", "direct"])
        size = try fields.required("size").points()
        gap = try fields.required("gap").points()
        place = try fields.required("at").choice(["start": .start, "end": .end, "centred": .centred])
        audience = try Audience(fields)
    }
}

extension NameRule {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["at", "own", "direct"])
        isOnEveryRow = try fields.required("at").choice(["start": false, "every": true])
        audience = try Audience(fields)
    }
}

extension Audience {
    fileprivate init(_ fields: JSONReader.Fields) throws(JSONError) {
        includesOwn = try fields.optional("own")?.bool() ?? false
        includesDirect = try fields.optional("direct")?.bool() ?? false
    }
}

extension JSONReader {
    fileprivate func side() throws(JSONError) -> Alignment {
        try choice(["start": .start, "center": .center, "end": .end])
    }
}
