import JSON
package import MessageLayout
package import Rows
import Typography
package import Wire

/// A row as a chat shows it: its content with the words of the message, and its decorations. It is drawn from the row
/// and the message, without the style: the row has the places and names of everything, and colours are the page's
/// own.
///
/// One unit inside the picture is a device pixel, so that the numbers are those of the model; its outer size is in
/// points.
package struct RowPicture {
    let decoration: Decoration
    let model: LayoutModel
    let said: Said
    let target: Target
    /// The reader whose clock and calendar count.
    let viewer: Viewer
    var markup = Markup()
    /// The ground under the content of each node.
    private var grounds: [Ground] = []

    /// The ground of a text, as far as the colour of the text depends on it.
    enum Ground { case plain, dark, button }

    /// - Parameter showsWorkings: baselines of lines, rectangles of entities, and what can be touched, over everything.
    package init(
        _ decoration: Decoration, _ model: LayoutModel, _ said: Said, on target: Target, for viewer: Viewer = Viewer(),
        showsWorkings: Bool = false
    ) {
        (self.decoration, self.model, self.said) = (decoration, model, said)
        (self.target, self.viewer) = (target, viewer)
        drawDress()
        markup.open("g", [("transform", "translate(\(decoration.content.left) \(decoration.content.top))")])
        grounds = Array(repeating: .plain, count: model.skeleton.nodes.count)
        draw(childrenOf: -1)
        if showsWorkings { drawWorkings() }
        markup.close("g")
    }

    package var width: Double { points(target.rowPixels) }
    package var height: Double { points(decoration.height) }

    /// The size of the content alone, in points, in words.
    package var contentSize: String { "\(points(model.size.width).markup)×\(points(model.size.height).markup) pt" }

    /// Whether it is of a style with bubbles, or with rows on the paper itself.
    var hasBubble: Bool { decoration.bubble.largeRadius > 0 }

    /// An `svg` element, at a place inside another one or by itself.
    package func element(left: Double = 0, top: Double = 0) -> String {
        var page = Markup()
        page.open(
            "svg",
            [
                ("class", decoration.variant == .own ? "row own" : "row"), ("x", left), ("y", top), ("width", width),
                ("height", height), ("viewBox", "0 0 \(target.rowPixels) \(decoration.height)"),
                ("xml:space", "preserve"),
            ])
        page.append(markup.text)
        page.close("svg")
        return page.text
    }

    private func points(_ pixels: Int32) -> Double { Double(pixels) * 1000 / Double(target.scale.thousandths) }

    /// Device pixels of a length that is the page's own.
    func pixels(_ points: Double) -> Double { points * Double(target.scale.thousandths) / 1000 }
}

// Nodes.
extension RowPicture {
    func token(of node: Int) -> String { model.skeleton.text(of: model.skeleton.nodes[node].token) }
    func part(of node: Int) -> String { model.skeleton.text(of: model.skeleton.nodes[node].part) }
    func source(of node: Int) -> String { model.skeleton.text(of: model.skeleton.nodes[node].source) }
    func frame(of node: Int) -> PixelRect { model.placements[node].frame }
    func ground(of node: Int) -> Ground {
        let parent = model.skeleton.nodes[node].parent
        return parent < 0 ? .plain : grounds[Int(parent)]
    }

    /// The subject of an action on a node, or on the one that it stands in: an option of a poll, a reaction.
    func subject(of node: Int) -> String {
        var place = node
        while place >= 0 {
            if model.skeleton.nodes[place].action != 0 {
                return model.skeleton.drawing?.subject(of: place, orSource: source(of: place)) ?? source(of: place)
            }
            place = Int(model.skeleton.nodes[place].parent)
        }
        return ""
    }

    func isSet(_ flag: String, on node: Int) -> Bool { said.value(at: subject(of: node) + ".\(flag)")?.bool ?? false }

    /// Draws children in the order of painting, a parent around its children, so that what it clips is clipped.
    private mutating func draw(childrenOf parent: Int32) {
        for (place, node) in model.skeleton.nodes.enumerated()
        where node.parent == parent && model.placements[place].isPresent {
            draw(place, node)
            if node.traits.contains(.clips) {
                let name = markup.clip(outline(of: place).withoutTail.path)
                markup.open("g", [("clip-path", "url(#\(name))")])
            }
            draw(childrenOf: Int32(place))
            if node.traits.contains(.clips) { markup.close("g") }
        }
    }

    private mutating func draw(_ place: Int, _ node: Skeleton.Node) {
        grounds[place] = ground(of: place).under(token(of: place))
        switch node.role {
        case .text: drawText(place, node)
        case .stamp where model.placements[place].block >= 0: drawText(place, node)
        case .stamp where part(of: place) == "status": drawStatus(in: place)
        case .icon where part(of: place) == "status": drawStatus(in: place)
        case .media: drawMedia(place, node)
        case .bars: drawBars(place)
        case .avatar: drawFace(place)
        case .icon: drawIcon(place, node)
        case .divider: drawShape(place, "rule")
        case .box, .track, .stamp, .control, .spoiler: drawBox(place, node)
        }
    }

    private mutating func drawBox(_ place: Int, _ node: Skeleton.Node) {
        switch token(of: place) {
        case "": if node.role == .track { drawShape(place, "track") }
        case "answer": drawShape(place, "button")
        case "chip": drawShape(place, isSet("own", on: place) ? "chip chosen" : "chip")
        case "faint": drawShape(place, "rule")
        case "line": drawShape(place, "pill")
        case "link": drawShape(place, "accent")
        case let token where RowPicture.fills.contains(token): drawShape(place, token)
        default: drawShape(place, "unknown")
        }
    }

    /// Tokens of boxes that have a class of their own.
    private static let fills: Set = [
        "accent", "bubble", "button", "capsule", "code", "input", "plate", "quote", "track",
    ]

    mutating func drawShape(_ place: Int, _ classes: String) {
        let frame = frame(of: place)
        guard frame.width > 0, frame.height > 0 else { return }
        markup.element("path", [("class", classes), ("d", outline(of: place).path)])
    }

    private mutating func drawBars(_ place: Int) {
        let (frame, range) = (frame(of: place), model.placements[place].bars)
        let pitch = Double(frame.width) / Double(max(1, range.count))
        for (number, bar) in range.enumerated() {
            let height = max(Double(model.bars[Int(bar)]), pitch * 0.7)
            let top = Double(frame.top) + (Double(frame.height) - height) / 2
            markup.element(
                "rect",
                [
                    ("class", "accent"), ("x", Double(frame.left) + Double(number) * pitch), ("y", top),
                    ("width", pitch * 0.7),
                    ("height", height), ("rx", pitch * 0.35),
                ])
        }
    }

    /// The outline of a node. A bubble by itself has the corners of its row, which depend on its neighbours, and the
    /// tail of its row.
    func outline(of place: Int) -> Outline {
        let (node, placement) = (model.skeleton.nodes[place], model.placements[place])
        guard node.parent < 0, !node.corners.isEmpty, token(of: place) == "bubble" else {
            return Outline(placement.frame, node.corners, radius: placement.radius, isMirrored: target.isMirrored)
        }
        let bubble = decoration.bubble
        var outline = Outline(placement.frame, node.corners, radius: bubble.largeRadius, isMirrored: target.isMirrored)
        let small = Outline(placement.frame, bubble.smallCorners, radius: 1, isMirrored: target.isMirrored).radii
        for corner in 0..<4 where small[corner] > 0 {
            outline.radii[corner] = min(outline.radii[corner], bubble.smallRadius)
        }
        // Rows do not say at which edge they stand: styles with tails have own messages at the end.
        if bubble.hasTail { outline.tail = (decoration.variant == .own) != target.isMirrored ? .right : .left }
        return outline
    }
}

extension RowPicture.Ground {
    /// The ground that a node with a token is for the nodes inside it.
    fileprivate func under(_ token: String) -> RowPicture.Ground {
        switch token {
        case "capsule": .dark
        case "button", "answer": .button
        case "bubble", "plate", "quote", "code": .plain
        default: self
        }
    }
}

extension Outline {
    var withoutTail: Outline {
        var outline = self
        outline.tail = nil
        return outline
    }
}
