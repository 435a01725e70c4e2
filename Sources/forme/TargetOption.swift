import MessageLayout
import Typography

/// `390@3`: a width in points at a device scale; `390@3,130` with a text scale in percent.
enum TargetOption {
    static func target(_ text: String) -> Target? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let parts = words[0].split(separator: "@")
        guard words.count <= 2, parts.count == 2, let width = Int32(parts[0]), 1...16_384 ~= width,
            let scale = Double(parts[1]), 0.5...8 ~= scale, let percent = words.count > 1 ? Int32(words[1]) : 100,
            25...400 ~= percent
        else { return nil }
        return Target(
            width: .points(width), scale: Scale(thousandths: Int32(scale * 1000)),
            textScale: TextScale(percent: percent))
    }

    static func text(_ target: Target) -> String {
        let scale = Double(target.scale.thousandths) / 1000
        return "\(target.width.raw / 64)@\(scale == scale.rounded() ? "\(Int(scale))" : "\(scale)")"
    }
}
