package import Typography

/// The texts of one layout of a message, each with its measures on the lines as they are drawn: made from stored
/// bytes, for later questions. Lengths are 1/64 device pixel from the top left of the content.
package struct ShownTexts: Sendable {
    private let model: LayoutModel
    private let target: Target
    /// Texts that come from the message, in the order in which they are stored.
    private let measured: [MeasuredText]
    /// The place of each text of the skeleton in `measured`; nil for words of the style.
    private let places: [Int?]

    /// - Parameter model: from a row of version 2, else words that the style makes of fields cannot be told from its
    ///   own.
    package init(
        _ model: LayoutModel, _ stored: StoredTexts, on target: Target
    ) throws(StoredMessageError) {
        (self.model, self.target) = (model, target)
        var (stored, measured) = (stored, [MeasuredText]())
        do throws(MeasuredTextError) {
            while let text = try stored.next() { measured.append(text) }
        } catch {
            throw .text(error)
        }
        var next = 0
        let generated = Set((model.skeleton.drawing?.generated ?? []).map(\.text))
        places = model.skeleton.texts.enumerated().map { number, text in
            guard text.literal == 0 || generated.contains(Int32(number)) else { return nil }
            defer { next += 1 }
            return next
        }
        guard next == measured.count else { throw .doesNotFit }
        self.measured = measured
    }

    /// A node that shows a text, and where in the message its words are.
    package struct Node: Hashable, Sendable {
        package var number: Int32
        /// Empty for words of the style.
        package var path: String
        /// Whether its words are the message's, or made of it: then it has measures.
        package var isMeasured: Bool
    }

    /// Nodes that are there and show a text, in the order in which they are painted.
    package var nodes: [Node] {
        model.skeleton.nodes.indices.compactMap { number in
            let node = model.skeleton.nodes[number]
            guard node.text >= 0, model.placements[number].isPresent, model.placements[number].block >= 0 else {
                return nil
            }
            let source = model.skeleton.text(of: node.source)
            let path = model.skeleton.drawing?.path(of: Int(node.text), orSource: source) ?? source
            return Node(number: Int32(number), path: path, isMeasured: places[Int(node.text)] != nil)
        }
    }

    /// The text of a node that has measures.
    package func text(of node: Node) -> DrawnText? {
        let number = Int(node.number)
        guard let place = places[Int(model.skeleton.nodes[number].text)] else { return nil }
        let (text, placement) = (measured[place], model.placements[number])
        let block = model.blocks[Int(placement.block)]
        let pitch = block.pitch &<< 6
        let shown = block.lines.enumerated().map { number, place in
            let line = model.lines[Int(place)]
            return DrawnLine(
                Line(start: line.start, end: line.end, width: 0, traits: line.traits),
                left: (placement.frame.left &+ line.left) &<< 6,
                top: (placement.frame.top &+ (block.firstLine &+ Int32(number)) &* block.pitch) &<< 6, height: pitch)
        }
        let empty = DrawnLine(
            Line(start: 0, end: 0, width: 0), left: placement.frame.left &<< 6, top: placement.frame.top &<< 6,
            height: pitch)
        let breaker = breaker(of: text, as: block)
        return DrawnText(text, on: shown, empty: empty, breaker)
    }

    /// The runs of the lines of a node, as they are drawn; none for words of the style.
    package func runs(of node: Int) -> [[DrawnText.Run]] {
        guard let text = text(of: Node(number: Int32(node), path: "", isMeasured: true)) else { return [] }
        return text.lines.indices.map { text.runs(ofLine: $0) }
    }

    /// The breaker that found the lines. A row gives the size of its letters on the screen; the widths of its lines
    /// tell whether the reader's text size has a share in that.
    private func breaker(of text: borrowing MeasuredText, as block: LayoutSheet.Block) -> LineBreaker {
        let scaled = LineBreaker(ofSize: block.fontSize, scale: target.scale, textScale: target.textScale)
        guard target.textScale != .one else { return scaled }
        let unscaled = LineBreaker(ofSize: block.fontSize, scale: target.scale, textScale: .one)
        let misfits = [scaled, unscaled].map { breaker in
            block.lines.count { place in
                let line = model.lines[Int(place)]
                let known = Line(start: line.start, end: line.end, width: 0, traits: line.traits)
                return !known.isStretch(of: text) || breaker.width(of: known, in: text).wholePixels != line.width
            }
        }
        return misfits[0] <= misfits[1] ? scaled : unscaled
    }
}

extension LineBreaker {
    /// - Parameter pixels: the size of letters in 1/64 device pixel, rounded down.
    fileprivate init(ofSize pixels: Int32, scale: Scale, textScale: TextScale) {
        let factor = max(1, Int64(scale.thousandths) * Int64(textScale.percent))
        let (least, next) = (
            (Int64(pixels) * 100_000 + factor - 1) / factor, ((Int64(pixels) + 1) * 100_000 - 1) / factor
        )
        // At less than one device pixel per point, several sizes look alike: whole and half points win, as styles use
        // these.
        let round = (least + 31) / 32 * 32
        let size = round <= next ? round : least
        self.init(box: 0, size: Fixed(raw: Int32(clamping: size)), scale: scale, textScale: textScale)
    }
}
