package import MessageLayout
import Record
import Typography
import Wire

/// A record with one box of a given height for each target.
package enum SampleRecord {
    package static let targets = [
        Target(width: .points(390), scale: Scale(thousandths: 3000)),
        Target(width: .points(320), scale: Scale(thousandths: 2000)),
    ]

    /// - Parameter height: the height of the message's own look, in points; with a name it is 20 higher.
    /// - Parameter name: the name of its box.
    package static func bytes(height: Int32, targets: [Target] = targets, name: String? = nil) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var encoder = RecordEncoder()
        try encoder.encode(sheet(height: height, targets: targets, name: name), into: &bytes)
        return bytes
    }

    /// The list of the heights of such a record.
    package static func heights(height: Int32, targets: [Target] = targets) -> [UInt8] {
        HeightPlan(targets).list(sheet(height: height, targets: targets, name: nil))
    }

    private static func sheet(height: Int32, targets: [Target], name: String?) -> LayoutSheet {
        var sheet = LayoutSheet()
        sheet.skeleton.nodes = [Skeleton.Node()]
        if let name { (sheet.skeleton.words, sheet.skeleton.nodes[0].label) = ([name], 1) }
        sheet.begin(targets, variants: 3, states: 1)
        sheet.reaches = targets.map { _ in .unlimited }
        for (place, target) in targets.enumerated() {
            for (variant, points) in [height, height, height + 20].enumerated() {
                let size = PixelSize(
                    width: 100 * target.scale.thousandths / 1000, height: points * target.scale.thousandths / 1000)
                let frame = PixelRect(left: 0, top: 0, width: size.width, height: size.height)
                sheet.set(
                    .init(size: size, stamp: .none, placements: 0), [.init(frame: frame)], target: place,
                    variant: variant)
            }
        }
        return sheet
    }

    /// A record whose rows are at least so large.
    package static func heavy(bytes count: Int) throws -> [UInt8] {
        try bytes(height: 40, name: String(repeating: "x", count: count))
    }
}
