import JSON

/// A part with the parts inside it, while a template is put together.
struct PartTree: Sendable {
    var part: Part
    var children: [PartTree] = []
    /// Its path in its file.
    var path = JSONPath.root
    /// Whether it stands for the content of a kind inside a frame.
    var isSlot = false

    init(_ shape: Shape) { part = Part(shape) }

    /// The tree with the content of a kind in the place that the frame keeps for it.
    func filled(with content: PartTree) -> PartTree {
        if isSlot { return content }
        var filled = self
        filled.children = children.map { $0.filled(with: content) }
        return filled
    }

    /// The same tree with another path, for errors.
    func moved(to path: JSONPath) -> PartTree {
        var moved = self
        moved.path = path
        moved.children = children.map { $0.moved(to: path) }
        return moved
    }

    /// The parts in the order of reading, each with the end of the parts inside it.
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
