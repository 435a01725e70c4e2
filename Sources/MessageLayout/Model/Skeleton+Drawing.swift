import Typography

extension Skeleton {
    /// The data that a client needs to draw nodes besides their places: the faces of texts, words that are made and
    /// not found in the message, and the paths of all content in the message. Rows of version 1 do not have it.
    package struct Drawing: Hashable, Sendable {
        /// Names of lists and fields, each once; paths refer to them by place, from 1.
        package var words: [String] = []
        /// Elements of lists in the message that paths begin at.
        package var elements: [Element] = []
        /// One for each text.
        package var texts: [DrawnText] = []
        /// The subject of each node's action, if that is not the node's own source; one for each node.
        package var subjects: [Path] = []
        /// Words that stand nowhere in the message: markers of lists, counts, percents.
        package var generated: [Generated] = []

        package init() {}
    }

    /// A way into the message from its beginning: a field of it, or of an element of a list.
    package struct Path: Hashable, Sendable {
        /// Number of an element, from 1; 0 for the message itself.
        package var element: Int32
        /// A place in the words of paths; 0 for the whole element.
        package var field: Word

        package init(element: Int32 = 0, field: Word = 0) { (self.element, self.field) = (element, field) }

        package static let none = Path()
    }

    /// An element of a list: `options[1]`.
    package struct Element: Hashable, Sendable {
        /// The element that contains the list, which comes before; 0 for the message.
        package var outer: Int32
        package var list: Word
        package var place: Int32

        package init(outer: Int32 = 0, list: Word, place: Int32) {
            (self.outer, self.list, self.place) = (outer, list, place)
        }
    }

    package struct DrawnText: Hashable, Sendable {
        package var face: TextFace
        /// The field that its words are made of, if they are made; of several, the first one.
        package var path: Path

        package init(face: TextFace = .regular, path: Path = .none) { (self.face, self.path) = (face, path) }
    }

    package struct Generated: Hashable, Sendable {
        /// Place in `texts`.
        package var text: Int32
        /// All that is shown there.
        package var words: String

        package init(text: Int32, words: String) { (self.text, self.words) = (text, words) }
    }
}

/// The font of a family that a text is measured with, and so has to be drawn with.
package struct TextFace: Hashable, Sendable {
    /// The weight as CSS counts it: 400 is regular, 700 bold.
    package var weight: Int16
    package var isItalic: Bool
    package var isMonospaced: Bool

    package init(weight: Int16 = 400, isItalic: Bool = false, isMonospaced: Bool = false) {
        (self.weight, self.isItalic, self.isMonospaced) = (weight, isItalic, isMonospaced)
    }

    init(_ style: TextStyle) {
        self.init(weight: style.weight, isItalic: style.isItalic, isMonospaced: style.isMonospaced)
    }

    package static let regular = TextFace()
}

// Paths and words as text.
extension Skeleton.Drawing {
    /// `options[1].percent`; empty for no path.
    package func text(of path: Skeleton.Path) -> String {
        let start = path.element == 0 ? "" : text(ofElement: path.element)
        guard path.field != 0 else { return start }
        return (start.isEmpty ? "" : start + ".") + words[Int(path.field) - 1]
    }

    /// The path of an element. Elements come after those that they stand in.
    private func text(ofElement number: Int32) -> String {
        let element = elements[Int(number) - 1]
        let outer = Skeleton.Path(element: element.outer, field: element.list)
        return "\(text(of: outer))[\(element.place)]"
    }

    /// The words of a text that stand nowhere in the message; nil where they do.
    package func generatedWords(of text: Int) -> String? { generated.first { $0.text == Int32(text) }?.words }

    /// The path in the message of a text's words, or of the field that they are made of; empty if they are the
    /// style's own.
    /// - Parameter source: the source of its node.
    package func path(of text: Int, orSource source: String) -> String {
        texts[text].path == .none ? source : self.text(of: texts[text].path)
    }

    /// The path of the subject of a node's action, from the beginning of the message; empty for all of the message.
    /// - Parameter source: the source of the node.
    package func subject(of node: Int, orSource source: String) -> String {
        subjects[node] == .none ? source : text(of: subjects[node])
    }
}
