package import JSON

/// How one layout came about: what each part was offered, asked for and got, what that depended on, and how far the
/// answer reaches. For people; nothing reads it to lay out.
package struct Explanation: Sendable {
    package var target: Target
    package var size: PixelSize
    package var stamp: StampMode
    package var reach: Reach
    /// In the order of reading; what is inside a part that is not there is left out.
    package var parts: [Part]
    package var inputs: Inputs

    package struct Part: Sendable {
        /// What it is called in the template, or what it does.
        package var name: String
        package var operation: String
        package var depth: Int
        package var fate: Fate
        /// The width that there was for it; nil where it was given a width without being asked.
        package var room: Room?
        /// What it would have liked to be, in that room.
        package var asked: Int32?
        package var frame: PixelRect
        package var lines: Lines?
        /// It, and nothing in it, is why the layout holds for no narrower or no wider row.
        package var endsNarrower = false
        package var endsWider = false
    }

    package enum Fate: Sendable {
        case isThere
        /// For other variants, or for the other state.
        case otherVariant, otherState
        /// Inside a part that shows what it can.
        case leftOut
    }

    package struct Room: Hashable, Sendable {
        package var pixels: Int32
        /// Grows with the row.
        package var isElastic: Bool
    }

    package struct Lines: Hashable, Sendable {
        package var count: Int
        package var isWrapped: Bool
        package var wasCut: Bool
    }

    /// The rows for which this is the layout, and why it is no more of them.
    package struct Reach: Hashable, Sendable {
        package var row: Int32
        package var room: Int32
        /// How much narrower the room could be; nil if nothing depends on it.
        package var slack: Int32?
        package var isWiderOpen: Bool
        package var narrowest: Int32
        package var widest: Int32
        /// The rows of this class of screens, beyond which it is not asked.
        package var classRows: ClosedRange<Int32>
    }

    /// What a layout's key is made of: nothing else can change the layout.
    package struct Inputs: Sendable {
        package var kind: String
        /// Those of the message that change geometry, as they are there.
        package var fields: [(name: String, value: JSONValue)]
        /// Those that it has, and that change only paint or behaviour.
        package var ignored: [(name: String, use: String)]
        package var lengths: [(name: String, pixels: Int32)]
        package var roles: [Role]
    }

    package struct Role: Hashable, Sendable {
        package var name: String
        /// In 1/64 device pixel.
        package var fontSize: Int32
        package var pitch: Int32
        package var ascent: Int32
        package var weight: Int16
    }
}
