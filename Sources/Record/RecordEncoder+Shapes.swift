extension RecordEncoder {
    /// A layout, replaced by numbers.
    struct Layout {
        var stamp: Int32 = 0
        /// How much wider and higher it is than its lines.
        var width: Int32 = 0
        var height: Int32 = 0
        /// The beginning of its places in the numbers of all; -1 for none.
        var places: Int32 = -1
        /// From 1.
        var shape: Int32 = 0
    }

    struct KnownShape {
        var message: UInt64 = 0
        var head: UInt32 = 0
        var width: UInt32 = 0
        var height: UInt32 = 0
        var places: Int32 = 0
        /// From 1.
        var number: Int32 = 0

        /// A power of two.
        static let places = 64

        @inline(__always)
        var place: Int {
            let mixed = (width &* 31 &+ height) &* 31 &+ UInt32(bitPattern: places) &* 7 &+ head
            return Int((mixed &* 0x9e37_79b9) >> 26)
        }

        @inline(__always)
        func isLike(_ other: KnownShape) -> Bool {
            message == other.message && head == other.head && width == other.width && height == other.height
                && places == other.places
        }
    }
}
