package import MessageLayout
import Typography
package import Wire

/// The texts of one row. It answers where their ranges and carets are, and which place in a text a point is at.
package struct RowTexts {
    private let texts: ShownTexts
    private let nodes: [ShownTexts.Node]
    /// The number of rectangles that the answer has room for still.
    private var room = Limits.rectanglesPerReply

    package init(_ texts: ShownTexts) { (self.texts, nodes) = (texts, texts.nodes) }

    /// An error of the client in a question: its place there, and the values that are allowed.
    package struct Fault: Error, Hashable, Sendable {
        package var reason: String
    }

    package mutating func answer(
        _ question: RangesQuestion, into reply: inout RangesReply
    ) throws(Fault) {
        for (number, asked) in question.texts.enumerated() {
            reply.texts.append(try answer(asked, at: "texts[\(number)]"))
        }
        guard !question.points.isEmpty else { return }
        let drawn = nodes.compactMap { node in texts.text(of: node).map { (node, $0) } }
        for point in question.points {
            guard let (node, text) = nearest(drawn, to: point) else {
                throw Fault(reason: "points: the row shows no text that could be hit")
            }
            reply.hits.append(hit(text, of: node, at: point))
        }
    }

    private mutating func answer(_ asked: AskedText, at place: String) throws(Fault) -> PlacedText {
        let node = try node(asked.name, at: place)
        guard let text = texts.text(of: node) else {
            throw Fault(
                reason: "\(place).node: node \(node.number) shows words of the style, which have no ranges; \(known)")
        }
        let length = Int32(text.text.count)
        func check(_ end: Int32, _ field: String, _ number: Int) throws(Fault) {
            guard end > length else { return }
            throw Fault(reason: "\(place).\(field)[\(number)]: \(end) is beyond the text, which has \(length) units")
        }
        var placed = PlacedText(
            node: node.number, path: node.path, length: length, shown: text.shownEnd)
        for (number, range) in asked.ranges.enumerated() {
            try check(range.upperBound, "ranges", number)
            let whole = text.graphemes(range)
            let (rectangles, end) = text.rectangles(of: whole, atMost: room)
            room -= rectangles.count
            placed.ranges.append(
                PlacedRange(whole.lowerBound..<max(whole.lowerBound, end), rectangles.map { FineRect($0) }))
        }
        for (number, offset) in asked.carets.enumerated() {
            try check(offset, "carets", number)
            placed.carets.append(PlacedCaret(text.carets(at: offset)))
        }
        placed.hits = asked.points.map { hit(text, of: node, at: $0) }
        return placed
    }

    private func node(_ name: AskedText.Name, at place: String) throws(Fault) -> ShownTexts.Node {
        switch name {
        case .node(let number):
            guard let node = nodes.first(where: { $0.number == number }) else {
                throw Fault(reason: "\(place).node: node \(number) of the row shows no text; \(known)")
            }
            return node
        case .path(let path):
            let named = nodes.filter { $0.isMeasured && $0.path == path }
            guard let node = named.first else {
                throw Fault(reason: "\(place).path: the row shows no text of '\(path)'; \(known)")
            }
            guard named.count == 1 else {
                let numbers = named.map { "\($0.number)" }.joined(separator: ", ")
                throw Fault(
                    reason: "\(place).path: '\(path)' is shown by several nodes; name one of \(numbers) as 'node'")
            }
            return node
        }
    }

    private var known: String {
        let texts = nodes.filter(\.isMeasured).prefix(Self.mostNamed).map { "\($0.number) (\($0.path))" }
        return texts.isEmpty
            ? "it has none that could be asked for" : "texts are nodes \(texts.joined(separator: ", "))"
    }

    private static let mostNamed = 6

    private func nearest(
        _ texts: [(ShownTexts.Node, DrawnText)], to point: PixelPoint
    ) -> (ShownTexts.Node, DrawnText)? {
        texts.min {
            $0.1.distance(x: point.x << 6, y: point.y << 6) < $1.1.distance(x: point.x << 6, y: point.y << 6)
        }
    }

    private func hit(_ text: DrawnText, of node: ShownTexts.Node, at point: PixelPoint) -> PlacedHit {
        let hit = text.hit(x: point.x << 6, y: point.y << 6)
        return PlacedHit(
            node: node.number, offset: hit.offset, isDownstream: hit.isDownstream, grapheme: hit.grapheme,
            isInside: hit.isInside)
    }
}

extension FineRect {
    fileprivate init(_ rectangle: TextLayout.Rectangle) {
        self.init(
            left: rectangle.left, top: rectangle.top >> 6, width: rectangle.width, height: rectangle.height >> 6)
    }
}

extension CaretPlace {
    fileprivate init(_ caret: DrawnText.Caret) {
        self.init(x: caret.x, top: caret.top >> 6, height: caret.height >> 6, isRightToLeft: caret.isRightToLeft)
    }
}

extension PlacedCaret {
    /// Sends the first of two sides that stand at one place, and leaves out the second.
    fileprivate init(_ carets: DrawnText.Carets) {
        let (downstream, upstream) = (carets.downstream.map { CaretPlace($0) }, carets.upstream.map { CaretPlace($0) })
        let isOne = downstream?.x == upstream?.x && downstream?.top == upstream?.top
        self.init(
            offset: carets.offset, isHidden: carets.isHidden, downstream: downstream,
            upstream: downstream != nil && isOne ? nil : upstream)
    }
}
