package import JSON
package import Typography

/// A whole style: lengths, texts, and the templates of every kind of message. It is read from files; a client
/// resolves the names of colours by itself.
package struct StyleSheet: Sendable {
    package let name: String
    package private(set) var tables: StyleTables
    package let classes: [DeviceClass]
    package private(set) var targets: [Target]
    package let textScales: [TextScale]
    /// The names of the variants, in which a message looks different to different readers: own, other, other with name.
    package let variants: [String]
    package private(set) var templates: [String: Template] = [:]
    /// The kind whose template messages of unknown kinds get.
    package let fallback: String
    /// The decoration of rows, as the file has it; nil if it has none.
    package let decorationSource: JSONReader?

    /// The decoration of rows as the text of JSON.
    package var decorationText: [UInt8]? {
        decorationSource.map { source in
            var json = JSONWriter()
            json.value(source.value)
            return json.bytes
        }
    }

    /// The fields that a message of any kind may have.
    package let carried: FieldSpec
    let frames: [String: PartTree]
    let parts: [String: PartTree]
    let rows: [String: Row]

    /// The settings of a frame for its row.
    struct Row: Sendable {
        var template: String
        var joinsSeries: Bool
    }

    package func template(for kind: String) -> Template? { templates[kind] }

    /// The most reactions that it draws beside a message, each with its emoji, and the fields that a reaction may
    /// have; nil if it takes them in another form, or draws none.
    package var reactions: (most: Int, fields: [String])? {
        guard case .list(let reaction, let most)? = carried["reactions"]?.type, reaction["emoji"]?.isRequired == true
        else {
            return nil
        }
        return (most, reaction.fields.map(\.name))
    }

    /// The template for a message of some kind; the fallback's for a kind that the style does not know.
    func template(for kind: String, _ message: JSONReader) throws(JSONError) -> Template {
        if let known = templates[kind] { return known }
        guard let fallback = templates[fallback] else {
            throw message.mismatch(expected: "a message of a kind that the style '\(name)' has")
        }
        return fallback
    }
}

extension StyleSheet {
    /// Reads a style's own file; kinds are added to it, each from a file of its own.
    /// - Parameter wording: other words than the file has, and another name.
    package init(_ reader: JSONReader, in wording: StyleWording? = nil) throws(JSONError) {
        let fields = try reader.object(knownKeys: [
            "name", "kinds", "strings", "lengths", "texts", "room", "classes", "textScales", "targets", "variants",
            "fields", "parts", "frames", "fallback", "decoration",
        ])
        let own = try fields.required("name").string()
        name = wording?.name ?? own
        var tables = StyleTables()
        for (key, reader) in try fields.optional("strings")?.object().all ?? [] {
            let own = try reader.string()
            tables.strings[key] = wording?.strings[key] ?? own
        }
        for (key, reader) in try fields.required("lengths").object().all {
            _ = tables.add(try StyleLength(reader), named: key)
        }
        for (key, reader) in try fields.required("texts").object().all {
            tables.add(try TextRole(reader), named: key)
        }
        if let room = fields.optional("room") { tables.room = try RoomRule(room) }
        let variants = try fields.required("variants")
        for variant in try variants.elements() { tables.variants.append(try variant.string()) }
        guard 1...8 ~= tables.variants.count else { throw variants.mismatch(expected: "1 to 8 variants") }
        var classes: [DeviceClass] = []
        for (key, reader) in try fields.optional("classes")?.object().all ?? [] {
            classes.append(try DeviceClass(key, reader, over: tables))
        }
        self.classes = classes
        textScales = try StyleSheet.textScales(fields.optional("textScales"))
        targets = try StyleSheet.targets(fields.required("targets"))
        if let own = fields.optional("fields") { carried = try FieldSpec(own) } else { carried = FieldSpec.empty }
        decorationSource = fields.optional("decoration")
        fallback = try fields.optional("fallback")?.string() ?? "unsupported"

        var parts = PartReader(tables: tables)
        for (key, reader) in try fields.optional("parts")?.object().all ?? [] {
            parts.known[key] = try parts.part(reader)
        }
        var frames: [String: PartTree] = [:]
        var rows: [String: Row] = [:]
        for (key, reader) in try fields.required("frames").object().all {
            let frame = try reader.object(knownKeys: ["part", "row", "series"])
            parts.hasSlot = false
            let tree = try parts.part(frame.required("part"))
            try tree.check(carried)
            frames[key] = tree
            guard parts.hasSlot else { throw reader.mismatch(expected: "a frame with a '{ slot: \"content\" }'") }
            rows[key] = Row(
                template: try frame.optional("row")?.string() ?? "message",
                joinsSeries: try frame.optional("series")?.bool() ?? true)
        }
        (self.frames, self.rows, self.parts) = (frames, rows, parts.known)
        self.variants = tables.variants
        self.tables = parts.tables
    }

    /// The same style, laid out ahead for other screens.
    package func prepared(for targets: [Target]) -> StyleSheet {
        var other = self
        other.targets = targets
        return other
    }

    /// `[{ widths: [320, 360], scales: [2, 3] }]`: every width at every scale; the widest comes first.
    private static func targets(_ reader: JSONReader) throws(JSONError) -> [Target] {
        var targets: [Target] = []
        for group in try reader.elements() {
            let fields = try group.object(knownKeys: ["widths", "scales", "textScales"])
            var widths: [Fixed] = []
            for width in try fields.required("widths").elements() { widths.append(try width.points(in: 1...16_384)) }
            let textScales = try textScales(fields.optional("textScales"))
            for scale in try fields.required("scales").elements() {
                guard let thousandths = try scale.number().scaled(by: 1000), 500...8000 ~= thousandths else {
                    throw scale.mismatch(expected: "device pixels to a point, 0.5...8")
                }
                for textScale in textScales {
                    targets += widths.sorted(by: >).map {
                        Target(width: $0, scale: Scale(thousandths: Int32(thousandths)), textScale: textScale)
                    }
                }
            }
        }
        guard 1...64 ~= targets.count else { throw reader.mismatch(expected: "1 to 64 targets, not \(targets.count)") }
        guard Set(targets).count == targets.count else { throw reader.mismatch(expected: "every target once") }
        return targets
    }

    private static func textScales(_ reader: JSONReader?) throws(JSONError) -> [TextScale] {
        guard let reader else { return [.one] }
        var scales: [TextScale] = []
        for percent in try reader.elements() {
            scales.append(TextScale(percent: Int32(try percent.integer(in: 25...400))))
        }
        return scales
    }
}

extension StyleSheet {
    /// Adds a kind from its file: `{ kind: "text", frame: "bubble", fields: { … }, content: PART }`.
    package mutating func addKind(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["kind", "frame", "fields", "content", "jumbo", "about"])
        let kind = try fields.required("kind")
        let frameName = try fields.required("frame")
        guard let frame = frames[try frameName.string()], let row = rows[try frameName.string()] else {
            throw frameName.mismatch(expected: "one of the frames \(frames.keys.sorted().joined(separator: ", "))")
        }
        guard templates[try kind.string()] == nil else { throw kind.mismatch(expected: "a kind that is not there yet") }
        var parts = PartReader(tables: tables)
        parts.known = self.parts
        let content = try parts.part(fields.required("content"))
        guard !parts.hasSlot else { throw reader.mismatch(expected: "a kind without a slot; only frames have one") }
        var spec = carried
        if let reader = fields.optional("fields") { spec = carried.merged(with: try FieldSpec(reader)) }
        try content.check(spec)
        // A kind may define a carried field otherwise than its frame was read with.
        try frame.moved(to: frameName.path).check(spec)
        var jumbo: Template.Jumbo?
        if let rule = try fields.optional("jumbo")?.object(knownKeys: ["field", "most", "kind"]) {
            jumbo = Template.Jumbo(
                field: try rule.required("field").string(),
                most: Int32(try rule.required("most").integer(in: 1...100)),
                kind: try rule.required("kind").string())
        }
        let list = frame.filled(with: content).flattened()
        guard list.count <= StyleSheet.mostParts else {
            throw reader.mismatch(expected: "at most \(StyleSheet.mostParts) parts, not \(list.count)")
        }
        tables = parts.tables
        templates[try kind.string()] = Template(
            kind: try kind.string(), fields: spec, parts: list, jumbo: jumbo,
            isFallback: try kind.string() == fallback, rowTemplate: row.template, joinsSeries: row.joinsSeries)
    }

    private static let mostParts = 500

    /// The class of a row of this width; a later class wins over an earlier one.
    package func deviceClass(of width: Fixed) -> DeviceClass {
        let points = width.raw / 64
        return classes.last { $0.rows.contains(points) } ?? .every
    }

    /// The rule for the room of content in a row of this width: that of its class, or else the style's.
    package func roomRule(of width: Fixed) -> RoomRule { deviceClass(of: width).room ?? tables.room }

    /// The rows around a row, in points, that are of the same class.
    package func rowsOfClass(around width: Fixed) -> Range<Int32> {
        let points = width.raw / 64
        let borders = classes.flatMap { [$0.rows.lowerBound, $0.rows.upperBound] }
        return (borders.filter { $0 <= points }.max() ?? 0)..<(borders.filter { $0 > points }.min() ?? .max)
    }
}
