import Bytes
package import MessageLayout

/// Reads the data for drawing of a row of version 2.
extension LayoutRows {
    /// A `Skeleton.Drawing`, its lists replaced by stretches of columns.
    package struct FlatDrawing: Hashable, Sendable {
        package var words: Range<Int32>
        package var elements: Range<Int32>
        package var texts: Range<Int32>
        package var subjects: Range<Int32>
        package var generated: Range<Int32>
    }

    /// Words of one text, in `letters`.
    package struct Generated: Hashable, Sendable {
        package var text: Int32
        package var letters: Range<Int32>
    }

    mutating func readDrawing(_ reader: inout NumberReader, of row: Row) -> FlatDrawing {
        let words = readWords(&reader, known: wellKnownInPaths)
        let elements = readElements(&reader, words: words.count)
        let firstText = Int32(drawnTexts.count)
        for _ in row.texts { drawnTexts.append(reader.drawnText(elements.count, words.count)) }
        let firstSubject = Int32(subjects.count)
        for i in row.nodes {
            let hasAction = nodes[Int(i)].action != 0
            subjects.append(hasAction ? reader.subject(elements.count, words.count) : .none)
        }
        return FlatDrawing(
            words: words, elements: elements, texts: firstText..<Int32(drawnTexts.count),
            subjects: firstSubject..<Int32(subjects.count), generated: readGenerated(&reader, texts: row.texts.count))
    }

    private mutating func readElements(_ reader: inout NumberReader, words: Int) -> Range<Int32> {
        let first = Int32(elements.count)
        for number in 0..<reader.count(of: "elements", upTo: RecordLimits.elements) {
            elements.append(
                Skeleton.Element(
                    outer: Int32(reader.number(upTo: number, of: "element")), list: reader.word(of: words),
                    place: reader.length()))
        }
        return first..<Int32(elements.count)
    }

    private mutating func readGenerated(_ reader: inout NumberReader, texts: Int) -> Range<Int32> {
        let first = Int32(generated.count)
        for _ in 0..<reader.count(of: "generated words", upTo: RecordLimits.texts) {
            let text = Int32(reader.number(upTo: texts, of: "text"))
            if text == texts { reader.fail(.outOfRange(Int64(text), of: "text")) }
            let start = Int32(letters.count)
            let length = reader.count(of: "generated words")
            let place = reader.place
            reader.pass(length)
            unsafe letters.append(reader.stretch(from: place))
            let own = start..<Int32(letters.count)
            if !letters.isUTF8(own) { reader.fail(.notUTF8) }
            generated.append(Generated(text: text, letters: own))
        }
        return first..<Int32(generated.count)
    }
}

extension NumberReader {
    fileprivate mutating func drawnText(_ elements: Int, _ words: Int) -> Skeleton.DrawnText {
        let head = number()
        guard let face = RecordForm.DrawnText.face(head) else {
            fail(.outOfRange(Int64(head), of: "face"))
            return Skeleton.DrawnText()
        }
        guard head & RecordForm.DrawnText.path != 0 else { return Skeleton.DrawnText(face: face) }
        return Skeleton.DrawnText(face: face, path: path(number(), elements, words))
    }

    fileprivate mutating func subject(_ elements: Int, _ words: Int) -> Skeleton.Path {
        let head = number()
        return head == 0 ? .none : path(head - 1, elements, words)
    }

    /// Reads a path, which must lead somewhere.
    private mutating func path(_ element: UInt32, _ elements: Int, _ words: Int) -> Skeleton.Path {
        let path = Skeleton.Path(element: Int32(truncatingIfNeeded: element), field: word(of: words))
        if element > elements || path == .none { fail(.outOfRange(Int64(element), of: "path")) }
        return path
    }
}

// As values.
extension LayoutRows {
    /// Nil in rows of version 1.
    package func drawing(of number: Int) -> Skeleton.Drawing? { rows[number].drawing.map { drawing($0) } }

    func drawing(_ flat: FlatDrawing) -> Skeleton.Drawing {
        var drawing = Skeleton.Drawing()
        drawing.words = flat.words.map { letters.text(of: words[Int($0)]) }
        drawing.elements = elements.array(flat.elements)
        drawing.texts = drawnTexts.array(flat.texts)
        drawing.subjects = subjects.array(flat.subjects)
        drawing.generated = flat.generated.map {
            let own = generated[Int($0)]
            return Skeleton.Generated(text: own.text, words: letters.text(of: own.letters))
        }
        return drawing
    }
}
