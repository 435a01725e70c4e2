import MessageLayout
import Typography

/// The numbers and bits of a layout record that its writer and its readers share. `LayoutRecord.md` has them all.
enum RecordForm {
    static let version: UInt8 = 1

    /// What of a node's place is told, in the first byte of it; 0 is an absent node.
    struct Place: OptionSet {
        let rawValue: UInt32
        static let isPresent = Place(rawValue: 1)
        static let radius = Place(rawValue: 2)
        static let fill = Place(rawValue: 4)
        /// It has lines: font size, pitch and ascent follow, and a content.
        static let lines = Place(rawValue: 8)
        /// It has bars, and a content.
        static let bars = Place(rawValue: 16)
        /// Distances are signed.
        static let signed = Place(rawValue: 32)
        /// Its height is that of its lines, and is not told: so places are the same however many lines there are.
        static let stacked = Place(rawValue: 64)
        static let all: Place = [.isPresent, .radius, .fill, .lines, .bars, .signed, .stacked]

        /// Numbers that follow.
        @inline(__always)
        var numbers: Int {
            (contains(.stacked) ? 3 : 4) + (contains(.radius) ? 1 : 0) + (contains(.fill) ? 2 : 0)
                + (contains(.lines) ? 3 : 0)
        }
    }

    /// Which fields a change sets. The most usual ones are lowest: they leave the mask in one byte.
    struct Change: OptionSet {
        let rawValue: UInt32
        static let width = Change(rawValue: 1)
        static let height = Change(rawValue: 2)
        static let contents = Change(rawValue: 4)
        static let geometry = Change(rawValue: 8)
        static let stamp = Change(rawValue: 16)
        static let all = Change(rawValue: 31)

        /// Numbers that follow before the contents, without the geometry's.
        @inline(__always)
        var plainNumbers: Int {
            intersection([.width, .height, .stamp]).rawValue.nonzeroBitCount
        }
    }

    /// The head of a content: a kind below, a count above.
    static let bars: UInt32 = 1
    static let rightToLeft: UInt32 = 2
    static let unusual: UInt32 = 4
    /// Widths of lines are told by what they lack of the node's width: one byte where the node hugs its text.
    static let hugging: UInt32 = 8
    static let countShift: UInt32 = 4

    /// What is unusual about lines.
    struct Lines: OptionSet {
        let rawValue: UInt32
        static let gaps = Lines(rawValue: 1)
        static let lefts = Lines(rawValue: 2)
        static let traits = Lines(rawValue: 4)
        static let spans = Lines(rawValue: 8)
        static let all = Lines(rawValue: 15)

        @inline(__always)
        var numbersPerLine: Int { 2 + intersection([.gaps, .lefts, .traits]).rawValue.nonzeroBitCount }
    }

    /// Which fields of a node differ from what is usual.
    struct Node: OptionSet {
        let rawValue: UInt32
        static let parent = Node(rawValue: 1)
        static let pins = Node(rawValue: 2)
        static let corners = Node(rawValue: 4)
        static let token = Node(rawValue: 8)
        static let source = Node(rawValue: 16)
        static let text = Node(rawValue: 32)
        static let traits = Node(rawValue: 64)
        static let action = Node(rawValue: 128)
        static let priority = Node(rawValue: 256)
        static let label = Node(rawValue: 512)
        static let all = Node(rawValue: 1023)
    }

    /// Start and top.
    static let usualPins: UInt8 = 5

    /// The head of a text: its alignment below, then what it has.
    struct Text: OptionSet {
        let rawValue: UInt32
        static let literal = Text(rawValue: 4)
        static let pieces = Text(rawValue: 8)
        static let spans = Text(rawValue: 16)
        static let entities = Text(rawValue: 32)
        static let all = Text(rawValue: 60)
    }

    /// The head of a group of targets: these below, its number of widths above.
    static let mirrored: UInt32 = 1
    static let scaledText: UInt32 = 2
    static let wholePoints: UInt32 = 4
    static let groupShift: UInt32 = 3

    /// Where a line begins if nothing else is said.
    @inline(__always)
    static func left(of width: Int32, in node: Int32, _ alignment: Alignment, isRightToLeft: Bool) -> Int32 {
        switch alignment {
        case .start: isRightToLeft ? node &- width : 0
        case .center: (node &- width) / 2
        case .end: isRightToLeft ? 0 : node &- width
        }
    }

    /// Bits of `LineTraits`. They are compared as integers here: the operators of another module's types are not inlined.
    static let rightToLeftTrait: Int32 = 1
    static let lastTrait: Int32 = 8

    /// The traits of a line if nothing else is said.
    @inline(__always)
    static func traits(isRightToLeft: Bool, isLast: Bool) -> Int32 {
        (isRightToLeft ? rightToLeftTrait : 0) | (isLast ? lastTrait : 0)
    }
}
