package import MessageLayout
import Typography

extension Target {
    /// A target as people and addresses write it: `390@3` gives the width in points and the device pixels to a
    /// point; `390.5@3,130,mirrored` also gives a text scale in percent, and lines that run from right to left. Nil
    /// for any other text.
    package init?(text: some StringProtocol) {
        var words = text.split(separator: ",", omittingEmptySubsequences: false)
        let isMirrored = words.count > 1 && words.last == "mirrored"
        if isMirrored { words.removeLast() }
        let parts = words[0].split(separator: "@", omittingEmptySubsequences: false)
        guard words.count <= 2, parts.count == 2, let width = Double(parts[0]), 1...16_384 ~= width,
            let scale = Double(parts[1]), 0.5...8 ~= scale, let percent = words.count > 1 ? Int32(words[1]) : 100,
            25...400 ~= percent
        else { return nil }
        self.init(
            width: Fixed(raw: Int32((width * 64).rounded())),
            scale: Scale(thousandths: Int32((scale * 1000).rounded())), textScale: TextScale(percent: percent),
            isMirrored: isMirrored)
    }

    package var text: String {
        let points = Self.text(Double(width.raw) / 64)
        let pixels = Self.text(Double(scale.thousandths) / 1000)
        return "\(points)@\(pixels)" + (textScale == .one ? "" : ",\(textScale.percent)")
            + (isMirrored ? ",mirrored" : "")
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
