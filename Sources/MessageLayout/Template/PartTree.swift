import JSON

/// A part with the parts inside it, while a template is put together.
struct PartTree: Sendable {
    var part: Part
    var children: [PartTree] = []
    /// Where it stands in its file.
    var path = JSONPath.root
    /// Stands for the content of a kind inside a frame.
    var isSlot = false

    init(_ shape: Shape) { part = Part(shape) }

    /// The content of a kind in the place that the frame keeps for it.
    func filled(with content: PartTree) -> PartTree {
        if isSlot { return content }
        var filled = self
        filled.children = children.map { $0.filled(with: content) }
        return filled
    }

    /// The same, said somewhere else.
    func moved(to path: JSONPath) -> PartTree {
        var moved = self
        moved.path = path
        moved.children = children.map { $0.moved(to: path) }
        return moved
    }

    /// The parts in the order of reading, each with the end of what is inside it.
    func flattened() -> [Part] {
        var parts: [Part] = []
        flatten(into: &parts)
        return parts
    }

    private func flatten(into parts: inout [Part]) {
        let place = parts.count
        parts.append(part)
        for child in children { child.flatten(into: &parts) }
        parts[place].shape.end = Int32(parts.count)
    }
}
