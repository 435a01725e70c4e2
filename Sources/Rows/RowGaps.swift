import JSON
import MessageLayout
package import Typography

/// The gaps between rows. Each belongs to the lower of two rows, so that rows follow each other without anything
/// between, and their heights add up to the extent.
package struct RowGaps: Hashable, Sendable {
    package var withinSeries: Fixed
    package var betweenSeries: Fixed
    /// The gap between a message of the viewer and one of another.
    package var betweenSides: Fixed
    /// The gap above the first row of the conversation.
    package var first: Fixed
    /// The gap below the last one.
    package var last: Fixed
}

/// The roundness of a bubble, and the corners that are less round.
package struct CornerRule: Hashable, Sendable {
    package var large: Fixed
    package var small: Fixed
    package var joined: Joined
    package var tail: Tail

    /// The corners that are small where a bubble meets another of its series.
    package enum Joined: Hashable, Sendable {
        case none
        /// The corners at the edge where the series stands.
        case edge
        case both
    }

    /// The bubble of a series that points to its sender.
    package enum Tail: Hashable, Sendable {
        case never, first, last
    }
}

extension RowGaps {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["withinSeries", "betweenSeries", "betweenSides", "first", "last"])
        withinSeries = try fields.required("withinSeries").points()
        betweenSeries = try fields.required("betweenSeries").points()
        betweenSides = try fields.required("betweenSides").points()
        first = try fields.required("first").points()
        last = try fields.required("last").points()
    }
}

extension CornerRule {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["large", "small", "joined", "tail"])
        large = try fields.required("large").points()
        small = try fields.required("small").points()
        joined = try fields.required("joined").choice(["none": .none, "edge": .edge, "both": .both])
        tail = try fields.required("tail").choice(["never": .never, "first": .first, "last": .last])
    }
}
