import Bytes
import MessageLayout

/// The part of a record that all its layouts share.
extension Buffer<UInt8> {
    /// Appends its words and nodes, which come first.
    mutating func appendNodes(of skeleton: Skeleton) {
        number(skeleton.nodes.count)
        number(skeleton.words.count)
        for word in skeleton.words { append(word, known: WellKnownWords.numbers) }
        var parent: Int32 = -1
        for i in skeleton.nodes.indices {
            append(skeleton.nodes[i], at: Int32(i), siblingsOf: parent)
            parent = skeleton.nodes[i].parent
        }
    }

    /// Appends the rest: its texts, the order of reading, and doubts.
    mutating func appendTexts(of skeleton: Skeleton) {
        number(skeleton.texts.count)
        for i in skeleton.texts.indices { append(skeleton.texts[i]) }
        appendReading(of: skeleton)
        number(UInt32(skeleton.confidence.rawValue))
    }

    /// Appends the order of reading: as a rule all nodes with an access role, in paint order.
    private mutating func appendReading(of skeleton: Skeleton) {
        var next = 0
        var isUsual = true
        for i in skeleton.nodes.indices where skeleton.nodes[i].accessRole.rawValue != 0 {
            if next >= skeleton.reading.count || skeleton.reading[next] != Int32(i) { isUsual = false }
            next += 1
        }
        if isUsual && next == skeleton.reading.count { return number(0) }
        number(skeleton.reading.count + 1)
        for i in skeleton.reading.indices { number(skeleton.reading[i]) }
    }

    /// Appends a word. A well-known one is an odd number; another one is the number of its bytes, doubled, and its
    /// bytes.
    mutating func append(_ word: String, known: [String: UInt32]) {
        if let known = known[word] { return number(known << 1 | 1) }
        var word = word
        word.withUTF8 { utf8 in
            number(utf8.count << 1)
            unsafe append(utf8)
        }
    }

    /// Appends a node. As a rule it has the parent of the node before it.
    private mutating func append(_ node: Skeleton.Node, at place: Int32, siblingsOf parent: Int32) {
        var fields: RecordForm.Node = []
        if node.parent != parent { fields.insert(.parent) }
        if node.pins.rawValue != RecordForm.usualPins { fields.insert(.pins) }
        if node.corners.rawValue != 0 { fields.insert(.corners) }
        if node.token != 0 { fields.insert(.token) }
        if node.source != 0 { fields.insert(.source) }
        if node.text >= 0 { fields.insert(.text) }
        if node.traits.rawValue != 0 { fields.insert(.traits) }
        if node.action != 0 { fields.insert(.action) }
        if node.priority != 0 { fields.insert(.priority) }
        if node.label != 0 { fields.insert(.label) }
        number(node.part)
        number(UInt32(node.role.rawValue) | UInt32(node.accessRole.rawValue) << 4)
        number(fields.rawValue)
        if fields.contains(.parent) { number(place &- node.parent) }
        if fields.contains(.pins) { number(UInt32(node.pins.rawValue)) }
        if fields.contains(.corners) { number(UInt32(node.corners.rawValue)) }
        if fields.contains(.token) { number(node.token) }
        if fields.contains(.source) { number(node.source) }
        if fields.contains(.text) { number(node.text) }
        if fields.contains(.traits) { number(UInt32(node.traits.rawValue)) }
        if fields.contains(.action) { number(node.action) }
        if fields.contains(.priority) { signed(node.priority) }
        if fields.contains(.label) { number(node.label) }
    }

    private mutating func append(_ text: Skeleton.Text) {
        var parts = RecordForm.Text(rawValue: UInt32(text.alignment.rawValue))
        if text.literal != 0 { parts.insert(.literal) }
        if !text.pieces.isEmpty { parts.insert(.pieces) }
        if !text.spans.isEmpty { parts.insert(.spans) }
        if !text.entities.isEmpty { parts.insert(.entities) }
        number(parts.rawValue)
        if parts.contains(.literal) { number(text.literal) }
        if parts.contains(.pieces) {
            number(text.pieces.count)
            for piece in text.pieces { append(piece) }
        }
        if parts.contains(.spans) {
            number(text.spans.count)
            for span in text.spans {
                append(span.range)
                number(UInt32(span.look.rawValue))
            }
        }
        if parts.contains(.entities) {
            number(text.entities.count)
            for entity in text.entities {
                append(entity.range)
                number(UInt32(entity.kind.rawValue))
                number(entity.target)
            }
        }
    }

    /// Appends start and length.
    private mutating func append(_ range: Range<Int32>) {
        number(range.lowerBound)
        number(range.upperBound &- range.lowerBound)
    }
}
