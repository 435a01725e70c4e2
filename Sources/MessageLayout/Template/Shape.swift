/// A part as the solver sees it: a handful of numbers, so that a message's parts lie in one array and are walked
/// without a pointer.
package struct Shape: Hashable, Sendable {
    package var operation: Operation
    /// One behind the last part inside this one; parts lie in the order of reading.
    package var end: Int32 = 0
    package var traits: Traits = []
    /// A bit for each variant in which it is there.
    package var variants: UInt8 = 0xff
    package var shows: Shows = .always
    package var alignment: BoxAlignment = .stretch
    /// The place of an overlaid part in the part under it.
    package var anchor: Anchor = .center
    /// Lengths whose meaning depends on the operation: gaps, sizes, insets.
    package var lengths = Lengths()
    package var minimum = LengthID.zero
    /// `.zero` for none.
    package var maximum = LengthID.zero
    package var radius = LengthID.zero
    /// A number whose meaning depends on the operation: a role of text, a count of columns.
    package var number: Int32 = 0
    /// The most lines of a text; of a stack, of all texts in it that expand. 0 for no limit.
    package var mostLines: Int32 = 0
    /// Place among the message's texts, pictures or bars: found when the message is known.
    package var value: Int32 = -1
    /// Place in the skeleton; -1 for a part that only arranges others.
    package var node: Int32 = -1

    /// Whether a text is the style's own. Found together with `value`.
    package var isLiteral = false

    package init(_ operation: Operation) { self.operation = operation }

    package struct Lengths: Hashable, Sendable {
        package var a = LengthID.zero
        package var b = LengthID.zero
        package var c = LengthID.zero
        package var d = LengthID.zero
    }

    package enum Operation: UInt8, Sendable {
        /// Parts one below the other: `a` is the gap.
        case stack
        /// Parts side by side: `a` is the gap. `c` is the least width of the first part, which takes the rest, beside
        /// the others: if it would have less, they stand below it, or are left out if `d` is that length, too.
        /// `number` is 1 if the row begins at the side where its text does.
        case row
        /// Parts side by side, and on from the start where a row is full: `a` and `b` are the gaps across and down.
        case flow
        /// Columns of equal width: `a` and `b` are the gaps across and down, `number` the columns.
        case grid
        /// One part with space around it: top, start, bottom, end. The start is taken `number` times.
        case inset
        /// A first part, and others that stand over it: `a` is their distance from its edges.
        case overlay
        /// A first part, and a stamp that finds a place in or behind its last line: `a` is the gap, `b` the length by
        /// which it drops, `c` its distance from a box that it stands below. `number` is 1 if it may stand in front
        /// of an only line that runs against the row.
        case stamped
        /// An empty box: `a` by `b`. One that follows has `number` percent of the width.
        case box
        /// A picture: at most `a` by `b`, at least `c` by `d`.
        case media
        /// Pictures in a mosaic: at most `a` high, `b` between them, cells of `c` at least.
        case mosaic
        /// Bars of a waveform: `a` wide with `b` between them, `c` high.
        case bars
        /// A text: `number` is its role.
        case text
    }

    package struct Traits: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Takes all the width there is, and asks for none.
        package static let follows = Traits(rawValue: 1)
        /// In a row: gets what the others leave, whatever its place.
        package static let takesRest = Traits(rawValue: 2)
        /// In a stack: the part that is stretched when the stack is; those behind it keep to the bottom.
        package static let grows = Traits(rawValue: 4)
        /// Cut to its most lines only while the message is collapsed.
        package static let expands = Traits(rawValue: 8)
        /// No stamp is tucked into its last line: code, a quote.
        package static let isBlock = Traits(rawValue: 16)
        package static let isStamp = Traits(rawValue: 32)
        /// As wide as the most that it may be, whatever its content.
        package static let fills = Traits(rawValue: 64)
        /// Text that is centred or stands at the end.
        package static let isAligned = Traits(rawValue: 128)
    }

    /// The states in which a part is there.
    package enum Shows: UInt8, Sendable {
        case always, collapsed, expanded
        /// Only where the text before it was cut.
        case cut
    }

    package enum BoxAlignment: UInt8, Sendable {
        case stretch, start, center, end
    }

    package enum Anchor: UInt8, Sendable {
        case topStart, top, topEnd, start, center, end, bottomStart, bottom, bottomEnd, fill
    }
}
