import MessageLayout
import Rows
import TestSupport
import Typography

extension RowFacts {
    /// 10:00 on Saturday, 28 March 2026, in universal time.
    static let morning: Int64 = 1_774_692_000

    /// A message of 100 × 40 pixels; with a name above it, it is 20 higher.
    static func message(
        _ sender: UInt64, second: Int64 = 0, order: Int64 = 0, template: String = "avatar and name",
        joinsSeries: Bool = true, hasFailed: Bool = false
    ) -> RowFacts {
        let size = PixelSize(width: 100, height: 40)
        return RowFacts(
            sender: SenderNumber(sender), order: order, milliseconds: (morning + second) * 1000, template: template,
            joinsSeries: joinsSeries, hasFailed: hasFailed,
            sizes: ContentSizes(own: size, other: size, otherWithName: PixelSize(width: 100, height: 60)))
    }

    static func eventLine(second: Int64 = 0) -> RowFacts {
        message(0, second: second, template: "bare", joinsSeries: false)
    }
}

extension Target {
    /// A target where one point is one pixel.
    static func points(_ width: Int32, isMirrored: Bool = false) -> Target {
        Target(width: .points(width), scale: .one, isMirrored: isMirrored)
    }
}

/// The decorations of rows. Sender 1 is the viewer, unless another one is given.
func decorated(
    _ rows: [RowFacts], _ style: DecorationStyle = .bubbles, for viewer: Viewer = Viewer(own: SenderNumber(1)),
    on target: Target = .points(320)
) -> [Decoration] {
    Decorator(style: style, viewer: viewer, target: target).decorations(of: rows)
}

func rect(_ left: Int32, _ top: Int32, _ width: Int32, _ height: Int32) -> PixelRect {
    PixelRect(left: left, top: top, width: width, height: height)
}
