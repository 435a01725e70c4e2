import MessageLayout
import Typography
import Wire

/// `--targets 280@2,390@3`: widths in points at device scales.
enum TargetOption {
    static let name = "targets"
    static let standard = "280@2,280@3,390@2,390@3"
    static let usage = "  --targets LIST       widths in points @ scale, prepared ahead (default: \(standard))"

    static func targets(_ arguments: Arguments) throws -> [Target] {
        let text = arguments.text(name) ?? standard
        let targets = try text.split(separator: ",").map { part in
            guard let target = target(String(part)) else {
                throw arguments.refusal("--\(name) takes WIDTH@SCALE,…, such as \(standard), not '\(part)'")
            }
            return target
        }
        guard 1...Limits.targets ~= targets.count else {
            throw arguments.refusal("--\(name) takes 1 to \(Limits.targets) targets, not \(targets.count)")
        }
        return targets
    }

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
