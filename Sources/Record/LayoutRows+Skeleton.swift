import Bytes
import MessageLayout

/// Reads the part that all layouts of a message share.
extension LayoutRows {
    /// Reads the skeleton of a row. Most rows of a page are built like one before them.
    mutating func readSkeleton(_ reader: inout NumberReader, _ version: RowVersion, of row: inout Row) {
        if let known = skeletons.next(in: &reader, version) {
            (row.words, row.nodes, row.texts) = (known.words, known.nodes, known.texts)
            (row.reading, row.confidence, row.drawing) = (known.reading, known.confidence, known.drawing)
            return
        }
        let start = reader.place
        readNewSkeleton(&reader, of: &row)
        if version == .second { row.drawing = readDrawing(&reader, of: row) }
        if reader.fault == nil { unsafe skeletons.keep(row, version, reader.stretch(from: start)) }
    }

    private mutating func readNewSkeleton(_ reader: inout NumberReader, of row: inout Row) {
        let nodeCount = reader.count(of: "nodes", upTo: RecordLimits.nodes)
        row.words = readWords(&reader, known: wellKnown)
        row.nodes = Int32(nodes.count)..<Int32(nodes.count + nodeCount)
        var parent: Int32 = -1
        for i in 0..<nodeCount {
            let node = reader.node(at: Int32(i), siblingsOf: parent, words: row.words.count)
            parent = node.parent
            nodes.append(node)
        }
        row.texts = readTexts(&reader, words: row.words.count)
        for i in 0..<nodeCount where nodes[Int(row.nodes.lowerBound) + i].text >= row.texts.count {
            reader.fail(.outOfRange(Int64(nodes[Int(row.nodes.lowerBound) + i].text), of: "text"))
        }
        row.reading = readReading(&reader, nodeCount, of: row)
        row.confidence = Confidence(rawValue: reader.small(of: "confidence"))
    }

    /// Reads words. It copies all of them at once, unless all are well known, and checks them only if not all are
    /// ASCII.
    mutating func readWords(_ reader: inout NumberReader, known: [Range<Int32>]) -> Range<Int32> {
        let first = words.count
        let count = reader.count(of: "words", upTo: RecordLimits.words)
        let start = reader.place
        let offset = letters.count - start
        var hasOthers = false
        for _ in 0..<count {
            let head = reader.number()
            if head & 1 == 1 {
                let number = Int(head >> 1)
                if number >= known.count { reader.fail(.outOfRange(Int64(number), of: "well-known word")) }
                words.append(known[min(number, known.count - 1)])
                continue
            }
            let length = reader.items(Int(head >> 1))
            let begin = Int32(offset + reader.place)
            words.append(begin..<begin + Int32(length))
            reader.pass(length)
            hasOthers = true
        }
        guard hasOthers else { return Int32(first)..<Int32(words.count) }
        unsafe letters.append(reader.stretch(from: start))
        let isASCII = unsafe letters.elements[(offset + start)...].reduce(0, |) < 0x80
        if !isASCII {
            for i in first..<words.count where !letters.isUTF8(words[i]) { reader.fail(.notUTF8) }
        }
        return Int32(first)..<Int32(words.count)
    }

    private mutating func readReading(_ reader: inout NumberReader, _ nodeCount: Int, of row: Row) -> Range<Int32> {
        let first = Int32(reading.count)
        let head = reader.number(upTo: RecordLimits.nodes + 1, of: "reading")
        if head == 0 {
            for i in 0..<nodeCount where nodes[Int(row.nodes.lowerBound) + i].accessRole.rawValue != 0 {
                reading.append(Int32(i))
            }
        } else {
            for _ in 0..<reader.items(head - 1) {
                reading.append(Int32(reader.number(upTo: nodeCount - 1, of: "reading")))
            }
        }
        return first..<Int32(reading.count)
    }

    private mutating func readTexts(_ reader: inout NumberReader, words: Int) -> Range<Int32> {
        let first = Int32(texts.count)
        for _ in 0..<reader.count(of: "texts", upTo: RecordLimits.texts) {
            let head = reader.number()
            var text = Text()
            if let alignment = Alignment(rawValue: UInt8(truncatingIfNeeded: head & 3)),
                head & 3 | RecordForm.Text.all.rawValue == head | RecordForm.Text.all.rawValue
            {
                text.alignment = alignment
            } else {
                reader.fail(.unknownCase(UInt8(clamping: head), of: "text"))
            }
            let parts = RecordForm.Text(rawValue: head)
            if parts.contains(.literal) { text.literal = reader.word(of: words) }
            if parts.contains(.pieces) { text.pieces = readPieces(&reader) }
            if parts.contains(.spans) { text.spans = readSpans(&reader) }
            if parts.contains(.entities) { text.entities = readEntities(&reader, words: words) }
            texts.append(text)
        }
        return first..<Int32(texts.count)
    }

    private mutating func readPieces(_ reader: inout NumberReader) -> Range<Int32> {
        let first = Int32(pieces.count)
        for _ in 0..<reader.count(of: "pieces") { pieces.append(reader.range()) }
        return first..<Int32(pieces.count)
    }

    private mutating func readSpans(_ reader: inout NumberReader) -> Range<Int32> {
        let first = Int32(textSpans.count)
        for _ in 0..<reader.count(of: "spans") {
            textSpans.append(.init(range: reader.range(), look: Look(rawValue: reader.small(of: "look"))))
        }
        return first..<Int32(textSpans.count)
    }

    private mutating func readEntities(_ reader: inout NumberReader, words: Int) -> Range<Int32> {
        let first = Int32(entities.count)
        for _ in 0..<reader.count(of: "entities") {
            let range = reader.range()
            let code = reader.small(of: "entity")
            if let kind = Skeleton.Text.Entity.Kind(rawValue: code) {
                entities.append(.init(range: range, kind: kind, target: reader.word(of: words)))
            } else {
                reader.fail(.unknownCase(code, of: "entity"))
            }
        }
        return first..<Int32(entities.count)
    }
}

extension NumberReader {
    @inline(__always)
    mutating func word(of count: Int) -> Skeleton.Word { Int32(number(upTo: count, of: "word")) }

    @inline(__always)
    mutating func small(of field: StaticString) -> UInt8 { UInt8(number(upTo: 255, of: field)) }

    @inline(__always)
    fileprivate mutating func node(at place: Int32, siblingsOf parent: Int32, words: Int) -> Skeleton.Node {
        var node = Skeleton.Node()
        node.part = word(of: words)
        let kind = number()
        if let role = Role(rawValue: UInt8(truncatingIfNeeded: kind & 15)),
            let access = AccessRole(rawValue: UInt8(clamping: kind >> 4))
        {
            (node.role, node.accessRole) = (role, access)
        } else {
            fail(.unknownCase(UInt8(clamping: kind), of: "role"))
        }
        let fields = RecordForm.Node(
            rawValue: UInt32(number(upTo: Int(RecordForm.Node.all.rawValue), of: "node")))
        node.parent = parent
        if fields.contains(.parent) {
            node.parent = place &- length()
            if node.parent < -1 || node.parent >= place {
                fail(.outOfRange(Int64(node.parent), of: "parent"))
                node.parent = -1
            }
        }
        if fields.contains(.pins) { node.pins = Pins(rawValue: small(of: "pins")) }
        if fields.contains(.corners) { node.corners = Corners(rawValue: small(of: "corners")) }
        if fields.contains(.token) { node.token = word(of: words) }
        if fields.contains(.source) { node.source = word(of: words) }
        if fields.contains(.text) { node.text = Int32(number(upTo: RecordLimits.texts - 1, of: "text")) }
        if fields.contains(.traits) { node.traits = NodeTraits(rawValue: small(of: "traits")) }
        if fields.contains(.action) { node.action = word(of: words) }
        if fields.contains(.priority) { node.priority = signed() }
        if fields.contains(.label) { node.label = word(of: words) }
        return node
    }

    /// Reads a start and a length.
    @inline(__always)
    fileprivate mutating func range() -> Range<Int32> {
        let start = Int(number())
        let end = start + Int(number())
        if end > Int(Int32.max) {
            fail(.outOfRange(Int64(end), of: "end of a range"))
            return 0..<0
        }
        return Int32(start)..<Int32(end)
    }
}

extension Buffer<UInt8> {
    func isUTF8(_ letters: Range<Int32>) -> Bool {
        let bytes = unsafe elements[Int(letters.lowerBound)..<Int(letters.upperBound)]
        return unsafe String(validating: bytes, as: UTF8.self) != nil
    }

    /// The text of letters. They are UTF-8: that was checked when they were read.
    func text(of letters: Range<Int32>) -> String {
        unsafe String(decoding: elements[Int(letters.lowerBound)..<Int(letters.upperBound)], as: UTF8.self)
    }
}
