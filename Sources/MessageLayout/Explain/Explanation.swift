package import JSON

/// The explanation of one layout: the room that each part was offered, the width that it asked for and got, the
/// inputs, and the reach. It is for people; nothing reads it to lay out.
package struct Explanation: Sendable {
    package var target: Target
    package var size: PixelSize
    package var stamp: StampMode
    package var reach: Reach
    /// Parts in the order of reading; those inside an absent part are left out.
    package var parts: [Part]
    package var inputs: Inputs

    package struct Part: Sendable {
        /// Its name in the template, or its operation.
        package var name: String
        package var operation: String
        package var depth: Int
        package var fate: Fate
        /// The room that it was offered; nil if it was given a width without being asked.
        package var room: Room?
        /// The width that it asked for, in that room.
        package var asked: Int32?
        package var frame: PixelRect
        package var lines: Lines?
        /// Whether it, and nothing in it, is the reason why the layout holds for no narrower or no wider row.
        package var endsNarrower = false
        package var endsWider = false
    }

    package enum Fate: Sendable {
        case isThere
        /// For other variants, or for the other state.
        case otherVariant, otherState
        /// Inside a part that shows as much as it can.
        case leftOut
    }

    package struct Room: Hashable, Sendable {
        package var pixels: Int32
        /// Whether it grows with the row.
        package var isElastic: Bool
    }

    package struct Lines: Hashable, Sendable {
        package var count: Int
        package var isWrapped: Bool
        package var wasCut: Bool
    }

    /// The rows for which this is the layout, and the reasons why it is not the layout for more.
    package struct Reach: Hashable, Sendable {
        package var row: Int32
        package var room: Int32
        /// The amount by which the room could be narrower; nil if nothing depends on it.
        package var slack: Int32?
        package var isWiderOpen: Bool
        package var narrowest: Int32
        package var widest: Int32
        /// The rows of this class of screens, beyond which the layout never reaches.
        package var classRows: ClosedRange<Int32>
    }

    /// The inputs of a layout's key: nothing else can change the layout.
    package struct Inputs: Sendable {
        package var kind: String
        /// Fields of the message that change geometry, with their values.
        package var fields: [(name: String, value: JSONValue)]
        /// Fields of the message that change only paint or behaviour.
        package var ignored: [(name: String, use: String)]
        package var lengths: [(name: String, pixels: Int32)]
        package var roles: [Role]
    }

    package struct Role: Hashable, Sendable {
        package var name: String
        /// The size of letters, in 1/64 device pixel.
        package var fontSize: Int32
        package var pitch: Int32
        package var ascent: Int32
        package var weight: Int16
    }
}
