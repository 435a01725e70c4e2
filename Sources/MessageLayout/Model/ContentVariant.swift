/// The variants of a message that a record holds for one target.
package enum ContentVariant: UInt8, CaseIterable, Sendable {
    case own = 0
    case other
    case otherWithName

    /// Its place among `count` variants: the last stands for those that are missing.
    package func place(among count: Int) -> Int { min(Int(rawValue), count - 1) }
}

/// The size of the content in each variant.
package struct ContentSizes: Hashable, Sendable {
    package var own: PixelSize
    package var other: PixelSize
    package var otherWithName: PixelSize

    package init(own: PixelSize, other: PixelSize, otherWithName: PixelSize) {
        self.own = own
        self.other = other
        self.otherWithName = otherWithName
    }

    /// Sizes of content that looks the same in each, such as an event line.
    package init(all size: PixelSize) {
        self.init(own: size, other: size, otherWithName: size)
    }

    package subscript(variant: ContentVariant) -> PixelSize {
        switch variant {
        case .own: own
        case .other: other
        case .otherWithName: otherWithName
        }
    }
}

/// The height of a row's content in each variant: all of its size that the rows below it depend on.
package struct ContentHeights: Hashable, Sendable {
    package var own: Int32
    package var other: Int32
    package var otherWithName: Int32

    package init(own: Int32, other: Int32, otherWithName: Int32) {
        (self.own, self.other, self.otherWithName) = (own, other, otherWithName)
    }

    package init(_ sizes: ContentSizes) {
        self.init(own: sizes.own.height, other: sizes.other.height, otherWithName: sizes.otherWithName.height)
    }

    package init(all height: Int32) { self.init(own: height, other: height, otherWithName: height) }

    @inline(__always)
    package subscript(variant: ContentVariant) -> Int32 {
        switch variant {
        case .own: own
        case .other: other
        case .otherWithName: otherWithName
        }
    }
}
