/// The common part of all layouts of one message: its nodes, the purpose of each, and its use by clients. Only frames
/// and lines differ from target to target.
///
/// It names things by words: a decoder needs no style sheet, and a style that gains a token renumbers nothing.
package struct Skeleton: Hashable, Sendable {
    /// Every word once; nodes refer to them by place.
    package var words: [String]
    /// Nodes in paint order: a parent before its children.
    package var nodes: [Node]
    package var texts: [Text]
    /// Places in `nodes`, in the order in which a screen reader reads.
    package var reading: [Int32]
    package var confidence: Confidence
    /// Nil where only a record of version 1 is known.
    package var drawing: Drawing?

    package init(
        words: [String] = [], nodes: [Node] = [], texts: [Text] = [], reading: [Int32] = [],
        confidence: Confidence = [], drawing: Drawing? = nil
    ) {
        self.words = words
        self.nodes = nodes
        self.texts = texts
        self.reading = reading
        self.confidence = confidence
        self.drawing = drawing
    }

    /// A place in `words`; 0 is no word.
    package typealias Word = Int32

    package func text(of word: Word) -> String { word == 0 ? "" : words[Int(word) - 1] }

    /// One thing that a client shows, or touches, or both.
    package struct Node: Hashable, Sendable {
        /// Its name in the template: `bubble`, `caption`, `option`.
        package var part: Word = 0
        package var role: Role = .box
        /// Place of the node that holds it; -1 for none.
        package var parent: Int32 = -1
        /// Edges that keep their distance when the parent is stretched.
        package var pins: Pins = [.start, .top]
        /// Corners that are round.
        package var corners: Corners = []
        package var traits: NodeTraits = []
        /// The name of its paint, which clients resolve.
        package var token: Word = 0
        /// The path of its content in the message: `photos[2]`.
        package var source: Word = 0
        /// Place in `texts`; -1 for none.
        package var text: Int32 = -1
        /// The name of the action that a touch starts; 0 for none. Where regions overlap, the highest priority is
        /// meant.
        package var action: Word = 0
        package var priority: Int32 = 0
        /// The name that a screen reader gives it, if that is not its text.
        package var label: Word = 0
        package var accessRole: AccessRole = .none

        package init() {}
    }

    /// The content of a text node, for all targets alike. Ranges are UTF-16 units of the text as shown.
    package struct Text: Hashable, Sendable {
        /// The text itself, where it comes from the style and not from the message.
        package var literal: Word = 0
        /// The stretches of the source that are shown, one behind the other; empty for all of it.
        package var pieces: [Range<Int32>] = []
        package var spans: [Span] = []
        package var entities: [Entity] = []
        package var alignment: Alignment = .start

        package init() {}

        /// A stretch with a look of its own.
        package struct Span: Hashable, Sendable {
            package var range: Range<Int32>
            package var look: Look

            package init(range: Range<Int32>, look: Look) {
                self.range = range
                self.look = look
            }
        }

        /// A stretch to touch, or to cover: it has rectangles on every line.
        package struct Entity: Hashable, Sendable {
            package var range: Range<Int32>
            package var kind: Kind
            /// The address behind a link, if the shown text is not the address.
            package var target: Word

            package init(range: Range<Int32>, kind: Kind, target: Word = 0) {
                self.range = range
                self.kind = kind
                self.target = target
            }

            package enum Kind: UInt8, CaseIterable, Sendable {
                case url = 0
                case email, phone, mention, hashtag, command, spoiler, code, box
            }
        }
    }
}

/// The sort of a node, as far as a client draws each differently.
package enum Role: UInt8, CaseIterable, Sendable {
    case box = 0
    case text, media, avatar, icon, bars, track, divider, stamp, control, spoiler
}

package enum AccessRole: UInt8, CaseIterable, Sendable {
    case none = 0
    case text, image, button, link, heading, list, progress, field
}

package enum Alignment: UInt8, CaseIterable, Sendable {
    /// The side at which the paragraph begins, by its direction.
    case start = 0
    case center, end
}

package struct Pins: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let start = Pins(rawValue: 1)
    package static let end = Pins(rawValue: 2)
    package static let top = Pins(rawValue: 4)
    package static let bottom = Pins(rawValue: 8)
    package static let all: Pins = [.start, .end, .top, .bottom]
}

package struct Corners: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let topStart = Corners(rawValue: 1)
    package static let topEnd = Corners(rawValue: 2)
    package static let bottomStart = Corners(rawValue: 4)
    package static let bottomEnd = Corners(rawValue: 8)
    package static let all: Corners = [.topStart, .topEnd, .bottomStart, .bottomEnd]
    package static let none: Corners = []
    package static let start: Corners = [.topStart, .bottomStart]
    package static let end: Corners = [.topEnd, .bottomEnd]
    package static let top: Corners = [.topStart, .topEnd]
    package static let bottom: Corners = [.bottomStart, .bottomEnd]

    /// The same as `subtracting`, but inlined in other modules, too.
    package func without(_ others: Corners) -> Corners { Corners(rawValue: rawValue & ~others.rawValue) }
}

package struct NodeTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let clips = NodeTraits(rawValue: 1)
    /// Hides everything behind it.
    package static let opaque = NodeTraits(rawValue: 2)
    /// May stand over its siblings.
    package static let overlaid = NodeTraits(rawValue: 4)
}

/// The difference between a stretch of text and the text around it.
package struct Look: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Look(rawValue: 1)
    package static let italic = Look(rawValue: 2)
    package static let strike = Look(rawValue: 4)
    package static let monospaced = Look(rawValue: 8)
    package static let underline = Look(rawValue: 16)
}

/// Doubts whether a client will draw the text as it was measured.
package struct Confidence: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let missingGlyph = Confidence(rawValue: 1)
    package static let fallbackFont = Confidence(rawValue: 2)
    /// Laid out by the template for kinds that the style does not know.
    package static let unknownKind = Confidence(rawValue: 4)
}
