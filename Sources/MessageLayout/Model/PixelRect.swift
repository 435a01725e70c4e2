/// A rectangle in whole device pixels; y grows downward.
package struct PixelRect: Hashable, Sendable {
    package var left: Int32
    package var top: Int32
    package var width: Int32
    package var height: Int32

    package init(left: Int32, top: Int32, width: Int32, height: Int32) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    package static let zero = PixelRect(left: 0, top: 0, width: 0, height: 0)

    package var right: Int32 { left &+ width }
    package var bottom: Int32 { top &+ height }

    package func contains(_ other: PixelRect) -> Bool {
        left <= other.left && top <= other.top && other.right <= right && other.bottom <= bottom
    }
}

package struct PixelSize: Hashable, Sendable {
    package var width: Int32
    package var height: Int32

    package init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }

    package static let zero = PixelSize(width: 0, height: 0)
}
