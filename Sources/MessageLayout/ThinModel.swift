package import Typography

/// (The thread of issue 1; `LayoutModel` takes its place.) Where everything of one message stands at one target, in whole device pixels from the top left of the message.
/// A client applies it and measures nothing.
package struct ThinModel: Equatable, Sendable {
    package var width: Int32
    package var height: Int32
    package var lines: [Line]
    package var entities: [Part]

    package init(width: Int32, height: Int32, lines: [Line], entities: [Part] = []) {
        self.width = width
        self.height = height
        self.lines = lines
        self.entities = entities
    }

    /// What one line of text shows, and where.
    package struct Line: Equatable, Sendable {
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

    /// A link, a mention or their like: what it is, and the rectangles that it covers, line by line.
    package struct Part: Equatable, Sendable {
        package var kind: Entity.Kind
        package var range: Range<Int32>
        package var frames: [Frame]

        package init(kind: Entity.Kind, range: Range<Int32>, frames: [Frame]) {
            self.kind = kind
            self.range = range
            self.frames = frames
        }
    }

    package struct Frame: Equatable, Sendable {
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
    }
}
