/// A part of a face that is fetched by itself.
package struct FontSlice: Equatable, Sendable {
    /// Sorted.
    package var characters: [UInt32]
    /// Whether the slice is the whole face.
    package var isWhole: Bool

    package init(characters: [UInt32], isWhole: Bool = false) {
        (self.characters, self.isWhole) = (characters, isWhole)
    }

    package var ranges: [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        for character in characters {
            if let last = ranges.last, last.upperBound + 1 == character {
                ranges[ranges.count - 1] = last.lowerBound...character
            } else {
                ranges.append(character...character)
            }
        }
        return ranges
    }
}
