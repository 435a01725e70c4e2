package import Typography

/// A message put into the template of its kind: its parts and their contents. It depends on no target, and its texts
/// wait to be measured.
struct Plan {
    var shapes: [Shape] = []
    var skeleton = Skeleton()
    var texts: [PlannedText] = []
    /// The sizes of pictures in pixels of their own; zero where unknown.
    var pictures: [PixelSize] = []
    var bars: [[UInt8]] = []
    /// Whether anything in it differs between collapsed and expanded.
    var hasStates = false
    /// The sources of all that differs from message to message.
    var fills: [Fill] = []
    /// Whether the parts depend on no list, amount or block of Markdown.
    var isFlat = true
    /// The answers that the planner got: another message with the same answers has the same parts.
    var trace: [UInt8] = []
    /// Whether the skeleton has marks and links of the message's Markdown.
    var quotesMessage = false
    /// True where parts of lists and blocks were left out, as the message has more nodes than it may have.
    var isCutOff = false

    struct Fill {
        var content: Content
        /// The way to the source: for each list around, the part that is repeated and the place in the list.
        var way: [Int]
        /// Place among `PlanAnswers.visits`.
        var visit = 0

        enum Content {
            case text(Int, TextBinding)
            case picture(Int, FieldPath)
            case bars(Int, FieldPath)
            /// The number of a shape; its answer is at a place in the trace.
            case percent(Int, FieldPath, traced: Int)
            /// A text of the block of Markdown around it.
            case block(Int)
        }
    }

    /// Fills in the texts, pictures, bars and amounts of a message.
    mutating func fill(from visits: [PlanAnswers.Visit]) {
        if skeleton.drawing?.generated.isEmpty == false { skeleton.drawing?.generated = [] }
        skeleton.confidence = []
        for fill in fills {
            let scope = visits[fill.visit].scope
            switch fill.content {
            case .text(let place, let binding):
                let found = scope.text(binding)
                texts[place].content = .plain(found.words)
                // The sheet before has the same texts in memory: they are written only where that changes them.
                if texts[place].findsEntities, !skeleton.texts[texts[place].text].entities.isEmpty {
                    skeleton.texts[texts[place].text].entities = []
                }
                if found.isGenerated { generate(found.words, in: texts[place].text) }
            case .picture(let place, let path): pictures[place] = scope.picture(path)
            case .bars(let place, let path): bars[place] = scope.bars(path)
            case .percent(let place, let path, let traced):
                let percent = scope.amount(path, most: shapes[place].mostAmount)
                shapes[place].number = Int32(percent)
                PlanTrace.replace(percent, at: traced, in: &trace)
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

    /// Adds words that clients do not find in the message.
    mutating func generate(_ words: String, in text: Int) {
        skeleton.drawing?.generated.append(Skeleton.Generated(text: Int32(text), words: words))
    }

    /// Takes generated words from another layout of the same message. A layout that was stored before there was data
    /// for drawing leaves this plan without it.
    mutating func generate(asIn shown: Skeleton) {
        guard let drawing = shown.drawing else { return skeleton.drawing = nil }
        let known = shown.texts.indices.filter { place in
            shown.texts[place].literal == 0 || drawing.generated.contains { $0.text == Int32(place) }
        }
        skeleton.drawing?.generated = []
        for own in drawing.generated {
            guard let number = known.firstIndex(of: Int(own.text)), number < texts.count else { continue }
            generate(own.words, in: texts[number].text)
        }
    }

    /// Ties each fill to the visit that it takes its value from; false if one has none.
    mutating func tie(to visits: [PlanAnswers.Visit]) -> Bool {
        for place in fills.indices {
            guard let visit = visits.firstIndex(where: { $0.way == fills[place].way }) else { return false }
            fills[place].visit = visit
        }
        return true
    }

    /// The number of each sort of thing in a plan.
    struct Size {
        var shapes, nodes, reading, words, shownTexts, texts, pictures, bars, fills: Int
        var elements, pathWords, generated: Int
    }

    var size: Size {
        Size(
            shapes: shapes.count, nodes: skeleton.nodes.count, reading: skeleton.reading.count,
            words: skeleton.words.count, shownTexts: skeleton.texts.count, texts: texts.count,
            pictures: pictures.count, bars: bars.count, fills: fills.count,
            elements: skeleton.drawing?.elements.count ?? 0, pathWords: skeleton.drawing?.words.count ?? 0,
            generated: skeleton.drawing?.generated.count ?? 0)
    }

    /// Removes everything that was added since.
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
        skeleton.drawing?.texts.removeSubrange(size.shownTexts...)
        skeleton.drawing?.subjects.removeSubrange(size.nodes...)
        skeleton.drawing?.elements.removeSubrange(size.elements...)
        skeleton.drawing?.words.removeSubrange(size.pathWords...)
        skeleton.drawing?.generated.removeSubrange(size.generated...)
    }
}

/// A text of a message on its way to the shaper.
package struct PlannedText {
    package var content: Content
    package var style: TextStyle
    /// Place in the skeleton's texts.
    var text: Int
    var findsEntities: Bool
    /// The field of the message, if the text is that field and nothing else.
    var field: String?

    package enum Content {
        case plain(String)
        case rich(RichText)
    }
}
