/// What the kind and the status of a message say about its row. Most conversations know a handful.
package struct RowLook: Hashable, Sendable {
    /// The name of its row template.
    package var template: String
    package var joinsSeries: Bool
    package var hasFailed: Bool

    package init(template: String, joinsSeries: Bool = true, hasFailed: Bool = false) {
        (self.template, self.joinsSeries, self.hasFailed) = (template, joinsSeries, hasFailed)
    }
}

/// How high the content of a row is in each variant: all of its size that the rows below it depend on.
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
