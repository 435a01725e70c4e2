package import Typography

extension LayoutModel {
    /// Lays out measured text for one target: integer arithmetic alone, so any machine gives the same model.
    package static func compose(
        _ text: MeasuredText, for target: Target, by template: TextTemplate = .standard
    ) -> LayoutModel {
        let inset = target.pixels(template.inset)
        let lineHeight = target.pixels(template.lineHeight, scaledWithText: true)
        let baseline = target.pixels(template.baseline, scaledWithText: true)
        let breaker = LineBreaker(
            width: Fixed(raw: max(0, target.width.raw - 2 * template.inset.raw)),
            size: template.size, scale: target.scale, textScale: target.textScale)
        var lines: [PlacedLine] = []
        var top = inset
        for line in breaker.lines(of: text) {
            lines.append(
                PlacedLine(
                    range: line.start..<line.end, left: inset + line.left >> 6, top: top, baseline: top + baseline,
                    width: (line.width + 63) >> 6))
            top += lineHeight
        }
        let widest = lines.map { $0.left + $0.width }.max() ?? inset
        return LayoutModel(width: widest + inset, height: top + inset, lines: lines)
    }
}

extension Target {
    /// A length on this screen, rounded up to whole device pixels so that nothing is cut off.
    func pixels(_ length: Fixed, scaledWithText: Bool = false) -> Int32 {
        let text = scaledWithText ? Int64(textScale.thousandths) : 1000
        let unit: Int64 = 64 * 1000 * 1000
        return Int32(clamping: (Int64(length.raw) * Int64(scale.thousandths) * text + unit - 1) / unit)
    }
}
