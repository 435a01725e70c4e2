/// The road that most texts take: no branch but the comparison of two whole numbers for each opportunity.
extension LineBreaker {
    /// Appends the lines of a plain text. Returns false, with `lines` as they were, when a word is wider than the box.
    func breakPlainLines(of text: borrowing MeasuredText, into lines: inout [Line]) -> Bool {
        let before = lines.count
        let ends = text.stops.ends.span
        let nexts = text.stops.nexts.span
        let offsets = text.stops.offsets.span
        let isUsual = text.stops.unitsPerEm == 1000 && text.stops.percent == 100
        let factor = factor(unitsPerEm: text.stops.unitsPerEm, percent: text.stops.percent)
        let limit = isUsual ? usualLimit : factor.units(in: most)
        var i = 0
        var base: Int32 = 0
        var start: Int32 = 0
        for paragraph in text.stops.paragraphs {
            let direction: LineTraits = paragraph.isRightToLeft ? .rightToLeft : []
            let last = Int(paragraph.end)
            while i < last {
                var fits = i
                while fits < last && ends[fits] &- base <= limit { fits &+= 1 }
                if fits == i {
                    lines.removeLast(lines.count - before)
                    return false
                }
                let end = offsets[fits &- 1]
                let width = factor.pixels(max(0, ends[fits &- 1] &- base))
                let traits = fits == last ? direction.union(.lastOfParagraph) : direction
                lines.append(Line(start: start, end: end, width: width, traits: traits))
                start = end
                base = nexts[fits &- 1]
                i = fits
            }
        }
        return true
    }
}
