import Bytes
package import MessageLayout

/// Single rows as values, for callers that want one and not a page.
extension LayoutRows {
    package func word(_ word: Skeleton.Word, of row: Int) -> String {
        precondition(word <= rows[row].words.count)
        return word == 0 ? "" : letters.text(of: words[Int(rows[row].words.lowerBound + word) - 1])
    }

    /// Whether a row is different when it is expanded.
    package func isExpandable(_ number: Int) -> Bool {
        let states = rows[number].states
        return states.count > 1 && slices[Int(states.lowerBound)] != slices[Int(states.lowerBound) + 1]
    }

    package func skeleton(of number: Int) -> Skeleton {
        let row = rows[number]
        return Skeleton(
            words: row.words.indices.map { letters.text(of: words[Int($0)]) }, nodes: nodes.array(row.nodes),
            texts: row.texts.indices.map { text(texts[Int($0)]) }, reading: reading.array(row.reading),
            confidence: row.confidence, drawing: drawing(of: number))
    }

    package func model(row: Int, state: Int = 0) -> LayoutModel {
        var model = layout(row: row, state: state)
        model.skeleton = skeleton(of: row)
        return model
    }

    /// A model without its skeleton.
    func layout(row: Int, state: Int) -> LayoutModel {
        let states = rows[row].states
        precondition(state >= 0 && state < states.count)
        let slice = slices[Int(states.lowerBound) + state]
        var model = LayoutModel()
        (model.size, model.stamp, model.reach) = (slice.size, slice.stamp, rows[row].reach)
        for i in 0..<rows[row].nodes.count {
            var placement = placements[Int(slice.placements) + i]
            if placement.block >= 0 {
                var block = blocks[Int(placement.block)]
                block.lines = model.lines.append(lines.array(block.lines))
                block.spans = block.spans.isEmpty ? 0..<0 : model.spans.append(spans.array(block.spans))
                placement.block = Int32(model.blocks.count)
                model.blocks.append(block)
            }
            if !placement.bars.isEmpty { placement.bars = model.bars.append(bars.array(placement.bars)) }
            model.placements.append(placement)
        }
        return model
    }

    private func text(_ flat: Text) -> Skeleton.Text {
        var text = Skeleton.Text()
        (text.literal, text.alignment) = (flat.literal, flat.alignment)
        text.pieces = pieces.array(flat.pieces)
        text.spans = textSpans.array(flat.spans)
        text.entities = entities.array(flat.entities)
        return text
    }
}

extension Array {
    /// Appends elements, and returns their range.
    fileprivate mutating func append(_ more: [Element]) -> Range<Int32> {
        let first = Int32(count)
        append(contentsOf: more)
        return first..<Int32(count)
    }
}
