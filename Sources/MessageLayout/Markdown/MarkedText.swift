/// A text as it is shown, and the place of each stretch of it in the text as it was written.
///
/// All ranges are UTF-16 units, so that lone surrogates survive.
package struct MarkedText: Hashable, Sendable {
    /// The text as shown, without the marks that gave it its looks.
    package var units: [UInt16]
    /// The stretches of the source that are shown, one behind the other; empty for all of it. An empty text is one
    /// empty piece.
    package var pieces: [Range<Int32>]
    /// Stretches with a look, in order and without overlap; all other text has no look of its own.
    package var spans: [Skeleton.Text.Span]
    /// Entities by their start, the longer one first. They nest, and never cross.
    package var entities: [Entity]

    package init(
        units: [UInt16], pieces: [Range<Int32>] = [], spans: [Skeleton.Text.Span] = [], entities: [Entity] = []
    ) {
        self.units = units
        self.pieces = pieces
        self.spans = spans
        self.entities = entities
    }

    /// A `Skeleton.Text.Entity` whose target has not become a word yet.
    package struct Entity: Hashable, Sendable {
        package var range: Range<Int32>
        package var kind: Skeleton.Text.Entity.Kind
        /// The address behind a link, as written there: nothing has checked it.
        package var target: String

        package init(range: Range<Int32>, kind: Skeleton.Text.Entity.Kind, target: String = "") {
            self.range = range
            self.kind = kind
            self.target = target
        }
    }
}

extension MarkedText {
    /// The text in stretches of the source that hold no marks.
    init(_ stretches: [Range<Int32>], of source: [UInt16]) {
        var units: [UInt16] = []
        for stretch in stretches { units += source[Int(stretch.lowerBound)..<Int(stretch.upperBound)] }
        let isAll = units.count == source.count
        self.init(units: units, pieces: isAll ? [] : stretches.isEmpty ? [0..<0] : stretches)
    }
}

extension [Range<Int32>] {
    /// Adds a stretch behind the others; two that touch become one.
    mutating func join(_ next: Range<Int32>) {
        guard let last else { return append(next) }
        if last.upperBound == next.lowerBound {
            self[count - 1] = last.lowerBound..<next.upperBound
        } else if last.isEmpty {
            self[count - 1] = next
        } else if !next.isEmpty {
            append(next)
        }
    }
}
