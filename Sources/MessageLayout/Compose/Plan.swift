package import Typography

/// A message put into the template of its kind: which parts there are, and what each holds. It depends on no target, and
/// its texts wait to be measured.
struct Plan {
    var shapes: [Shape] = []
    var skeleton = Skeleton()
    var texts: [PlannedText] = []
    /// In pixels of their own; zero where it is not known.
    var pictures: [PixelSize] = []
    var bars: [[UInt8]] = []
    /// Whether anything in it differs between collapsed and expanded.
    var hasStates = false
    /// Where what differs from message to message comes from.
    var fills: [Fill] = []
    /// No list, amount or block of Markdown has a say in which parts there are.
    var isFlat = true
    /// What the planner was told: another message with the same answers has the same parts.
    var trace: [UInt8] = []
    /// Whether marks and links of the message, which is Markdown, stand in the skeleton.
    var quotesMessage = false

    struct Fill {
        var content: Content
        /// The way to it: of each list around, the part that is repeated for it, and the place in it.
        var way: [Int]
        /// Place among `PlanAnswers.visits`.
        var visit = 0

        enum Content {
            case text(Int, TextBinding)
            case picture(Int, FieldPath)
            case bars(Int, FieldPath)
            /// A text of the block of Markdown that it stands in.
            case block(Int)
        }
    }

    /// Puts in what this message says.
    mutating func fill(from visits: [PlanAnswers.Visit]) {
        for fill in fills {
            let scope = visits[fill.visit].scope
            switch fill.content {
            case .text(let place, let binding): texts[place].content = .plain(scope.text(binding))
            case .picture(let place, let path): pictures[place] = scope.picture(path)
            case .bars(let place, let path): bars[place] = scope.bars(path)
            case .block(let place):
                guard let marked = visits[fill.visit].block else { continue }
                texts[place].content = .rich(marked.rich(in: texts[place].style))
                skeleton.texts[texts[place].text].show(marked)
                skeleton.texts[texts[place].text].entities = marked.entities.map {
                    Skeleton.Text.Entity(range: $0.range, kind: $0.kind)
                }
            }
        }
    }

    /// Ties what is filled in to what this message brings; false where something comes from elsewhere.
    mutating func tie(to visits: [PlanAnswers.Visit]) -> Bool {
        for place in fills.indices {
            guard let visit = visits.firstIndex(where: { $0.way == fills[place].way }) else { return false }
            fills[place].visit = visit
        }
        return true
    }

    /// How much of everything there is.
    struct Size {
        var shapes, nodes, reading, words, shownTexts, texts, pictures, bars, fills: Int
    }

    var size: Size {
        Size(
            shapes: shapes.count, nodes: skeleton.nodes.count, reading: skeleton.reading.count,
            words: skeleton.words.count, shownTexts: skeleton.texts.count, texts: texts.count,
            pictures: pictures.count, bars: bars.count, fills: fills.count)
    }

    /// Takes back what was added since.
    mutating func cut(to size: Size) {
        shapes.removeSubrange(size.shapes...)
        skeleton.nodes.removeSubrange(size.nodes...)
        skeleton.reading.removeSubrange(size.reading...)
        skeleton.words.removeSubrange(size.words...)
        skeleton.texts.removeSubrange(size.shownTexts...)
        texts.removeSubrange(size.texts...)
        pictures.removeSubrange(size.pictures...)
        bars.removeSubrange(size.bars...)
        fills.removeSubrange(size.fills...)
    }
}

/// A text of a message on its way to the shaper.
package struct PlannedText {
    package var content: Content
    package var style: TextStyle
    /// Place in the skeleton's texts.
    var text: Int
    var findsEntities: Bool
    /// The field of the message that it is, when it is nothing else.
    var field: String?

    package enum Content {
        case plain(String)
        case rich(RichText)
    }
}
