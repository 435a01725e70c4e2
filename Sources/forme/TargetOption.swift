import MessageLayout
import Typography

/// `390@3`: a width in points at a device scale.
enum TargetOption {
    static func target(_ text: String) -> Target? {
        let parts = text.split(separator: "@")
        guard parts.count == 2, let width = Int32(parts[0]), 1...16_384 ~= width, let scale = Double(parts[1]),
            0.5...8 ~= scale
        else { return nil }
        return Target(width: .points(width), scale: Scale(thousandths: Int32(scale * 1000)))
    }

    static func text(_ target: Target) -> String {
        let scale = Double(target.scale.thousandths) / 1000
        return "\(target.width.raw / 64)@\(scale == scale.rounded() ? "\(Int(scale))" : "\(scale)")"
    }
}
