import Bytes
import MessageLayout

/// The data for drawing, behind the part that all layouts share.
extension Buffer<UInt8> {
    /// Appends all of it but generated words, which differ from message to message and come last.
    mutating func append(_ drawing: Skeleton.Drawing, of nodes: [Skeleton.Node]) {
        number(drawing.words.count)
        for word in drawing.words { append(word, known: WellKnownWords.pathNumbers) }
        number(drawing.elements.count)
        for element in drawing.elements {
            number(element.outer)
            number(element.list)
            number(element.place)
        }
        for text in drawing.texts {
            var head = RecordForm.DrawnText.head(text.face)
            if text.path != .none { head |= RecordForm.DrawnText.path }
            number(head)
            if text.path != .none { append(text.path) }
        }
        for i in nodes.indices where nodes[i].action != 0 {
            if drawing.subjects[i] == .none { number(0) } else { append(drawing.subjects[i], plus: 1) }
        }
    }

    mutating func append(_ generated: [Skeleton.Generated]) {
        number(generated.count)
        for own in generated {
            number(own.text)
            var words = own.words
            words.withUTF8 { utf8 in
                number(utf8.count)
                unsafe append(utf8)
            }
        }
    }

    private mutating func append(_ path: Skeleton.Path, plus head: Int32 = 0) {
        number(path.element + head)
        number(path.field)
    }
}

extension RecordForm {
    /// The head of a text's face: whether a path follows, and the face itself.
    enum DrawnText {
        static let path: UInt32 = 1
        static let italic: UInt32 = 2
        static let monospaced: UInt32 = 4
        static let weightShift: UInt32 = 3
        /// Weights that most texts have; another weight is told as one more than it is.
        static let usualWeights: [Int16] = [400, 700]

        static func head(_ face: TextFace) -> UInt32 {
            let usual = usualWeights.firstIndex(of: face.weight)
            let weight = usual.map { UInt32($0) } ?? UInt32(UInt16(bitPattern: face.weight)) + 1
            return weight << weightShift | (face.isItalic ? italic : 0) | (face.isMonospaced ? monospaced : 0)
        }

        /// Nil if the weight is not valid.
        static func face(_ head: UInt32) -> TextFace? {
            let told = Int(head >> weightShift)
            let weight = usualWeights.indices ~= told ? usualWeights[told] : Int16(exactly: told - 1)
            guard let weight, weight > 0 else { return nil }
            return TextFace(weight: weight, isItalic: head & italic != 0, isMonospaced: head & monospaced != 0)
        }
    }
}
