package import MessageLayout
package import Typography

/// A layout as a picture that shows its workings: boxes in the tint of their token, lines on their baselines with the
/// message's own characters, rectangles of entities, crossed pictures, and dashed regions to touch.
///
/// Inside it one unit is a device pixel, so that the numbers are those of the model; outside it is as large as in points.
package struct Picture {
    private let model: LayoutModel
    private let texts: [RichText]
    private let target: Target
    private var markup = Markup()

    /// - Parameter texts: the words of each text of the skeleton.
    package init(_ model: LayoutModel, _ texts: [RichText], on target: Target) {
        (self.model, self.texts, self.target) = (model, texts, target)
        draw(childrenOf: -1)
        drawRegions()
    }

    var width: Double { points(model.size.width) }
    var height: Double { points(model.size.height) }

    /// Width and height in words, in points.
    package var size: String { "\(width.markup)×\(height.markup) pt" }

    /// The elements alone.
    var elements: String { markup.text }

    /// An `svg` element, at a place inside another one.
    package func element(left: Double = 0, top: Double = 0) -> String {
        var page = Markup()
        page.open(
            "svg",
            [
                ("class", "layout"), ("x", left), ("y", top), ("width", width), ("height", height),
                ("viewBox", "0 0 \(model.size.width) \(model.size.height)"),
            ])
        page.append(elements)
        page.close("svg")
        return page.text
    }

    private func points(_ pixels: Int32) -> Double { Double(pixels) * 1000 / Double(target.scale.thousandths) }
}

// Nodes.
extension Picture {
    /// In the order of painting, a parent around its children, so that what it clips is clipped.
    private mutating func draw(childrenOf parent: Int32) {
        for (place, node) in model.skeleton.nodes.enumerated()
        where node.parent == parent && model.placements[place].isPresent {
            draw(place, node)
            if node.traits.contains(.clips) {
                let name = markup.clip(outline(of: place))
                markup.open("g", [("clip-path", "url(#\(name))")])
            }
            draw(childrenOf: Int32(place))
            if node.traits.contains(.clips) { markup.close("g") }
        }
    }

    private mutating func draw(_ place: Int, _ node: Skeleton.Node) {
        let frame = model.placements[place].frame
        let token = model.skeleton.text(of: node.token)
        switch node.role {
        case .text: drawText(place, node, token)
        case .stamp where model.placements[place].block >= 0: drawText(place, node, token)
        case .media:
            let outline = outline(of: place)
            markup.element("path", [("class", "media"), ("d", outline.path)])
            markup.element("path", [("class", "cross"), ("d", outline.diagonals)])
        case .bars: drawBars(place, frame)
        case .box, .avatar, .icon, .track, .divider, .stamp, .control, .spoiler:
            var attributes: [(String, any MarkupValue)] = [("class", "\(node.role)"), ("d", outline(of: place).path)]
            if !token.isEmpty { attributes.append(("style", "fill: \(Tint.fill(of: token))")) }
            markup.element("path", attributes)
        }
    }

    private mutating func drawBars(_ place: Int, _ frame: PixelRect) {
        let range = model.placements[place].bars
        let heights = range.map { model.bars[Int($0)] }
        markup.element("path", [("class", "box"), ("d", outline(of: place).path)])
        guard !heights.isEmpty else { return }
        let pitch = Double(frame.width) / Double(heights.count)
        for (number, height) in heights.enumerated() {
            let top = Double(frame.top) + Double(frame.height - Int32(height)) / 2
            let left = Double(frame.left) + Double(number) * pitch
            markup.element(
                "rect",
                [("class", "bar"), ("x", left), ("y", top), ("width", pitch * 0.6), ("height", Double(height))])
        }
    }

    private func outline(of place: Int) -> Outline {
        let (node, placement) = (model.skeleton.nodes[place], model.placements[place])
        return Outline(
            rect: placement.frame, corners: target.isMirrored ? node.corners.mirrored : node.corners,
            radius: placement.radius)
    }

    /// What can be touched lies over everything, the most important on top.
    private mutating func drawRegions() {
        let nodes = model.skeleton.nodes
        for place in nodes.indices.sorted(by: { nodes[$0].priority < nodes[$1].priority })
        where nodes[place].action != 0 && model.placements[place].isPresent {
            markup.open("path", [("class", "region"), ("d", outline(of: place).path)])
            markup.title(model.skeleton.text(of: nodes[place].action))
            markup.close("path")
        }
    }
}

// Texts.
extension Picture {
    private mutating func drawText(_ place: Int, _ node: Skeleton.Node, _ token: String) {
        guard node.text >= 0, model.placements[place].block >= 0 else { return }
        let text = model.skeleton.texts[Int(node.text)]
        let fontSize = Double(model.blocks[Int(model.placements[place].block)].fontSize) / 64
        for (number, entity) in text.entities.enumerated() {
            for frame in model.frames(ofEntity: number, in: place) {
                markup.element("rect", [("class", "entity \(entity.kind)")] + frame.attributes)
            }
        }
        let shown = texts[Int(node.text)]
        let lines = model.shownLines(of: place)
        let baselines = lines.map { "M\($0.frame.left) \($0.baseline)h\($0.frame.width)" }
        markup.element("path", [("class", "baseline"), ("d", baselines.joined())])
        for line in lines {
            let stretches = LineText(line, of: shown, looks: text.spans).stretches
            guard !stretches.isEmpty else { continue }
            let isRightToLeft = line.traits.contains(.rightToLeft)
            var attributes: [(String, any MarkupValue)] = [("x", line.frame.left), ("y", line.baseline)]
            attributes += [("font-size", fontSize), ("textLength", line.frame.width)]
            attributes.append(("lengthAdjust", "spacingAndGlyphs"))
            if shown.style.weight != 400 { attributes.append(("font-weight", Int32(shown.style.weight))) }
            if shown.style.isItalic { attributes.append(("font-style", "italic")) }
            if shown.style.isMonospaced { attributes.append(("class", "monospaced")) }
            if !token.isEmpty { attributes.append(("fill", Tint.text(of: token))) }
            // Where text runs to the left, its end is on the left.
            if isRightToLeft { attributes += [("direction", "rtl"), ("text-anchor", "end")] }
            markup.text(stretches, attributes)
        }
    }
}

extension Corners {
    /// Start and end change sides.
    fileprivate var mirrored: Corners {
        var corners: Corners = []
        if contains(.topStart) { corners.insert(.topEnd) }
        if contains(.topEnd) { corners.insert(.topStart) }
        if contains(.bottomStart) { corners.insert(.bottomEnd) }
        if contains(.bottomEnd) { corners.insert(.bottomStart) }
        return corners
    }
}

extension PixelRect {
    fileprivate var attributes: [(String, any MarkupValue)] {
        [("x", left), ("y", top), ("width", width), ("height", height)]
    }
}
