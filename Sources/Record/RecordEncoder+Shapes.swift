import Typography

extension RecordEncoder {
    /// A shape, by the layout that had it first: most are asked for by many.
    struct KnownShape {
        var message: UInt64 = 0
        var layout = 0
        var lane = 0
        /// Its first numbers, as they are written: of width and height what is beyond those of its lines.
        var head: UInt32 = 0
        var width: UInt32 = 0
        var height: UInt32 = 0
        /// From 1.
        var number: Int32 = 0

        /// A power of two.
        static let places = 64

        /// In points, if whole ones tell both.
        @inline(__always)
        mutating func setSize(_ width: Int32, _ height: Int32, _ scale: Scale) {
            if let wide = RecordForm.points(width, scale), let high = RecordForm.points(height, scale) {
                (head, self.width, self.height) = (head | RecordForm.pointsShape, wide, high)
            } else {
                (self.width, self.height) = (ChunkTable.zigzag(width), ChunkTable.zigzag(height))
            }
        }

        /// - Parameter hash: of the places of its nodes.
        @inline(__always)
        func place(_ hash: Int32) -> Int {
            let mixed = ((width &* 31 &+ height) &* 31 &+ UInt32(bitPattern: hash)) &* 7 &+ head
            return Int((mixed &* 0x9e37_79b9) >> 26)
        }

        /// But for the places of its nodes.
        @inline(__always)
        func isLike(_ other: KnownShape) -> Bool {
            message == other.message && head == other.head && width == other.width && height == other.height
        }
    }
}
