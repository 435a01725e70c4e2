package import JSON
package import Typography

/// JSON of a model, for people and scripts to read. Numbers are device pixels, rectangles are `[left, top, width,
/// height]` in the coordinates of the content, and usual values (no text, no action, nothing clipped) are left out.
extension LayoutModel {
    /// A function that returns the runs of each line of a node.
    package typealias Runs = (_ node: Int) -> [[DrawnText.Run]]

    /// Writes the members of an object that is open: the caller adds the target and the message.
    package func writeMembers(to json: inout JSONWriter, runs: Runs? = nil) {
        json.member("size", [size.width, size.height])
        json.key("rows")
        json.object {
            $0.member("narrowest", reach.narrowest)
            $0.key("widest")
            if reach.widest == LayoutSheet.Reach.unbounded { $0.null() } else { $0.integer(reach.widest) }
        }
        json.member("natural_width", reach.naturalWidth)
        json.member("stamp", "\(stamp)")
        json.member("confidence", skeleton.confidence.names)
        json.key("nodes")
        json.array {
            for node in skeleton.nodes.indices where placements[node].isPresent { write(node, to: &$0, runs) }
        }
        json.key("reading")
        json.array {
            for node in skeleton.reading where placements[Int(node)].isPresent { writeElement(Int(node), to: &$0) }
        }
    }

    private func write(_ place: Int, to json: inout JSONWriter, _ runs: Runs?) {
        let (node, placement) = (skeleton.nodes[place], placements[place])
        json.object {
            // Absent nodes have numbers, too: a node has the same number at every target.
            $0.member("node", Int32(place))
            $0.member("part", skeleton.text(of: node.part))
            $0.member("role", "\(node.role)")
            if node.parent >= 0 { $0.member("parent", node.parent) }
            $0.member("frame", placement.frame.numbers)
            $0.member("pins", node.pins.names)
            if !node.corners.isEmpty {
                $0.member("corners", node.corners.names)
                $0.member("radius", placement.radius)
            }
            for name in node.traits.names {
                $0.key(name)
                $0.bool(true)
            }
            $0.word("token", node.token, of: skeleton)
            $0.word("source", node.source, of: skeleton)
            if node.action != 0 {
                $0.word("action", node.action, of: skeleton)
                $0.member("priority", node.priority)
                let about = skeleton.drawing?.subject(of: place, orSource: skeleton.text(of: node.source)) ?? ""
                if !about.isEmpty { $0.member("about", about) }
            }
            if node.text >= 0, placement.block >= 0 { writeText(place, to: &$0, runs?(place) ?? []) }
            if placement.fill != .zero {
                $0.member("fill", [placement.fill.width, placement.fill.height])
                $0.member("crop", placement.crop.numbers)
            }
            if !placement.bars.isEmpty {
                $0.member("bars", placement.bars.map { Int32(bars[Int($0)]) })
            }
        }
    }

    private func writeText(_ place: Int, to json: inout JSONWriter, _ runs: [[DrawnText.Run]]) {
        let text = skeleton.texts[Int(skeleton.nodes[place].text)]
        let block = blocks[Int(placements[place].block)]
        json.key("text")
        json.object { json in
            json.word("literal", text.literal, of: skeleton)
            writeDrawing(of: place, to: &json)
            if !text.pieces.isEmpty {
                json.members("pieces", text.pieces) { $0.value($1.numbers) }
            }
            if text.alignment != .start { json.member("alignment", "\(text.alignment)") }
            json.key("font_size")
            json.decimal(Double(block.fontSize) / 64, places: 2)
            json.members("lines", Array(shownLines(of: place).enumerated())) {
                $0.line($1.element, $1.offset < runs.count ? runs[$1.offset] : nil)
            }
            if !text.spans.isEmpty {
                json.members("looks", text.spans) { json, span in
                    json.object {
                        $0.range(span.range)
                        $0.member("look", span.look.names)
                    }
                }
            }
            if !text.entities.isEmpty {
                json.members("entities", Array(zip(text.entities, entityFrames(in: place)))) { json, entity in
                    write(entity.0, entity.1, to: &json)
                }
            }
        }
    }

    /// Writes the data for drawing, which rows of version 1 do not have.
    private func writeDrawing(of place: Int, to json: inout JSONWriter) {
        guard let drawing = skeleton.drawing else { return }
        let (text, source) = (Int(skeleton.nodes[place].text), skeleton.text(of: skeleton.nodes[place].source))
        if let words = drawing.generatedWords(of: text) { json.member("generated", words) }
        let path = drawing.path(of: text, orSource: source)
        if !path.isEmpty { json.member("path", path) }
        let face = drawing.texts[text].face
        json.key("face")
        json.object {
            $0.member("weight", Int32(face.weight))
            $0.key("italic")
            $0.bool(face.isItalic)
            $0.key("monospaced")
            $0.bool(face.isMonospaced)
        }
    }

    private func write(_ entity: Skeleton.Text.Entity, _ frames: [PixelRect], to json: inout JSONWriter) {
        json.object {
            $0.member("kind", "\(entity.kind)")
            $0.range(entity.range)
            $0.word("target", entity.target, of: skeleton)
            $0.members("frames", frames) { $0.value($1.numbers) }
        }
    }

    private func writeElement(_ place: Int, to json: inout JSONWriter) {
        let node = skeleton.nodes[place]
        json.object {
            $0.member("node", Int32(place))
            $0.member("role", "\(node.accessRole)")
            $0.word("label", node.label, of: skeleton)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ value: Int32) {
        key(name)
        integer(value)
    }

    fileprivate mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    fileprivate mutating func member(_ name: String, _ numbers: [Int32]) {
        key(name)
        value(numbers)
    }

    fileprivate mutating func member(_ name: String, _ words: [String]) {
        members(name, words) { $0.string($1) }
    }

    fileprivate mutating func members<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { json in for element in elements { write(&json, element) } }
    }

    fileprivate mutating func value(_ numbers: [Int32]) {
        array { for number in numbers { $0.integer(number) } }
    }

    fileprivate mutating func word(_ name: String, _ word: Skeleton.Word, of skeleton: Skeleton) {
        if word != 0 { member(name, skeleton.text(of: word)) }
    }

    fileprivate mutating func range(_ range: Range<Int32>) {
        member("start", range.lowerBound)
        member("end", range.upperBound)
    }

    fileprivate mutating func line(_ line: LayoutModel.ShownLine, _ runs: [DrawnText.Run]?) {
        object {
            $0.range(line.range)
            $0.member("left", line.frame.left)
            $0.member("top", line.frame.top)
            $0.member("baseline", line.baseline)
            $0.member("width", line.frame.width)
            $0.member("direction", line.traits.contains(.rightToLeft) ? "rtl" : "ltr")
            if line.traits.contains(.hyphen) { $0.member("ends_with", "hyphen") }
            if line.traits.contains(.ellipsis) { $0.member("ends_with", "ellipsis") }
            for (trait, name) in [(LineTraits.beginsJoined, "begins_joined"), (.endsJoined, "ends_joined")]
            where line.traits.contains(trait) {
                $0.key(name)
                $0.bool(true)
            }
            if let word = line.traits.beginning.word { $0.member("begins_in", word) }
            if let word = line.traits.ending.word { $0.member("ends_in", word) }
            if let runs { $0.members("runs", runs) { $0.run($1) } }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func run(_ run: DrawnText.Run) {
        object {
            $0.range(run.range)
            if let font = run.font { $0.member("font", Int32(font)) }
            $0.member("level", Int32(run.level))
            for (name, length) in [("x", run.x), ("advance", run.advance)] {
                $0.key(name)
                $0.decimal(Double(length) / 64, places: 2)
            }
        }
    }
}

extension PixelRect {
    fileprivate var numbers: [Int32] { [left, top, width, height] }
}

extension Range<Int32> {
    fileprivate var numbers: [Int32] { [lowerBound, upperBound] }
}
