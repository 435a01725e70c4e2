/// Where everything of one message stands at one target, in whole device pixels. A client applies it and measures nothing.
package struct LayoutModel: Equatable, Sendable {
    package var width: Int32
    package var height: Int32
    package var lines: [PlacedLine]

    package init(width: Int32, height: Int32, lines: [PlacedLine]) {
        self.width = width
        self.height = height
        self.lines = lines
    }
}

/// One line of text: what it shows, and where.
package struct PlacedLine: Equatable, Sendable {
    /// In UTF-16 units of the body.
    package var range: Range<Int32>
    package var left: Int32
    package var top: Int32
    package var baseline: Int32
    package var width: Int32

    package init(range: Range<Int32>, left: Int32, top: Int32, baseline: Int32, width: Int32) {
        self.range = range
        self.left = left
        self.top = top
        self.baseline = baseline
        self.width = width
    }
}
