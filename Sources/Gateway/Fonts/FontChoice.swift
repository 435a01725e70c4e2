import Bytes
package import MessageLayout
import Record
package import Typography
package import Wire

/// The choice of font files for texts, made as <doc:DrawingARow> says that a client makes it: for each grapheme
/// cluster the first family that has all of it, and of that face the first slice.
///
///     var choice = FontChoice(fonts)
///     choice.files(of: Array("Hello 🎉".utf16), in: .regular)
package struct FontChoice {
    private struct File {
        let number: UInt16
        let characters: CharacterRanges
    }

    private struct Face {
        let family: String
        let weight: Int?
        let isItalic: Bool
        let isEmoji: Bool
        let isMonospaced: Bool
        let languages: [Language]
        let instead: String?
        let whole: File
        let slices: [File]
    }

    /// The faces that are tried for a text, in order, and the files found for single characters, 256 of them to a
    /// page.
    private struct Order {
        let faces: [Face]
        var known: [UInt32: [UInt16]] = [:]
    }

    private let faces: [Face]
    /// The hashes of the files, by number.
    private let hashes: [FontHash]
    private var orders: [Wish: Order] = [:]

    /// A face and a language that fonts are wanted for.
    private struct Wish: Hashable {
        let face: TextFace
        let language: Language
    }

    /// Orders that are remembered; a style has some eight weights, slants and pitches.
    private static let mostOrders = 64
    private static let unknown = UInt16.max

    package init(_ fonts: [ServedFont]) {
        var (hashes, numbers): ([FontHash], [FontHash: UInt16]) = ([], [:])
        func file(_ hash: String, _ characters: CharacterRanges) -> File? {
            guard let hash = FontHash(hash), hashes.count < Int(Self.unknown) else { return nil }
            let number = numbers[hash] ?? UInt16(hashes.count)
            if numbers.updateValue(number, forKey: hash) == nil { hashes.append(hash) }
            return File(number: number, characters: characters)
        }
        faces = fonts.compactMap { font in
            guard let whole = file(font.hash, font.characters) else { return nil }
            let slices = font.slices.compactMap { slice in
                CharacterRanges(slice.characters).flatMap { file(slice.hash, $0) }
            }
            return Face(
                family: font.family, weight: font.weight, isItalic: font.isItalic, isEmoji: font.isEmoji,
                isMonospaced: font.isMonospaced, languages: font.languages.compactMap { Language($0) },
                instead: font.instead, whole: whole, slices: slices)
        }
        self.hashes = hashes
    }

    /// The files for the texts of a row, in each of its states; nil where the row does not say what its texts are
    /// drawn with.
    /// - Parameter said: its message. For words that it does not have, no file is found.
    mutating func files(
        of layout: [UInt8], saying said: Said, _ page: inout LayoutRows
    ) throws(ByteError) -> [FontHash]? {
        page.removeAll()
        try page.append(layout)
        let skeleton = page.skeleton(of: 0)
        guard let drawing = skeleton.drawing else { return nil }
        var found: Set<UInt16> = []
        for node in skeleton.nodes where node.text >= 0 {
            let text = Int(node.text)
            let face = drawing.texts[text].face
            // The style's own words are not in the language of the message.
            let own = wish(face, skeleton.texts[text].literal == 0 ? said.language : .none)
            // The ellipsis and the hyphen that end a line which is cut.
            add([0x2026, 0x2010], in: own, to: &found)
            let source = skeleton.text(of: node.source)
            guard let units = said.units(of: text, source: source, in: skeleton) else { continue }
            add(units, in: own, to: &found)
            for span in skeleton.texts[text].spans {
                let range = (Int(span.range.lowerBound)..<Int(span.range.upperBound)).clamped(to: units.indices)
                add(units[range], in: wish(face.with(span.look), own.language), to: &found)
            }
        }
        return found.sorted().map { hashes[Int($0)] }
    }

    /// The files of some words.
    package mutating func files(
        of units: [UInt16], in face: TextFace, language: Language = .none
    ) -> [FontHash] {
        var found: Set<UInt16> = []
        add(units[...], in: wish(face, language), to: &found)
        return found.sorted().map { hashes[Int($0)] }
    }

    /// Returns the wish for a face and a language; a language that no family is listed for counts as none.
    private func wish(_ face: TextFace, _ language: Language) -> Wish {
        Wish(face: face, language: language.mostExact(of: faces.lazy.flatMap(\.languages)))
    }

    private mutating func add(_ units: ArraySlice<UInt16>, in wish: Wish, to found: inout Set<UInt16>) {
        guard !faces.isEmpty, !units.isEmpty else { return }
        // No character below U+0300 joins its neighbour, and none but these two can be emoji.
        if units.allSatisfy({ $0 < 0x300 && $0 != 0xa9 && $0 != 0xae }) {
            for unit in units { found.insert(file(of: UInt32(unit), in: wish)) }
            return
        }
        for cluster in String(decoding: units, as: UTF16.self) {
            let scalars = cluster.unicodeScalars
            if let only = scalars.first, scalars.count == 1 {
                found.insert(file(of: only.value, in: wish))
            } else {
                found.insert(Self.file(of: Array(scalars), among: order(for: wish).faces))
            }
        }
    }

    private mutating func add(_ units: [UInt16], in wish: Wish, to found: inout Set<UInt16>) {
        add(units[...], in: wish, to: &found)
    }

    /// The file of a cluster that is one character.
    private mutating func file(of scalar: UInt32, in wish: Wish) -> UInt16 {
        var order = order(for: wish)
        let (page, place) = (scalar >> 8, Int(scalar & 0xff))
        if let known = order.known[page]?[place], known != Self.unknown { return known }
        guard let character = Unicode.Scalar(scalar) else { return order.faces[0].whole.number }
        let found = Self.file(of: [character], among: order.faces)
        order.known[page, default: [UInt16](repeating: Self.unknown, count: 256)][place] = found
        orders[wish] = order
        return found
    }

    /// Returns the faces to try, in order: of each family the one of the nearest slant and then weight; those of the
    /// wanted pitch first, and in front of each those that stand for it in the language.
    private mutating func order(for wish: Wish) -> Order {
        if let known = orders[wish] { return known }
        let face = wish.face
        func distance(_ other: Face) -> Int {
            (other.isItalic != face.isItalic ? 10_000 : 0)
                + abs((other.weight ?? Int(face.weight)) - Int(face.weight))
        }
        var (best, places): ([Face], [String: Int]) = ([], [:])
        for other in faces {
            if let place = places[other.family] {
                if distance(other) < distance(best[place]) { best[place] = other }
            } else {
                places[other.family] = best.count
                best.append(other)
            }
        }
        let all = best.filter { $0.instead == nil }.flatMap { own in
            best.filter { $0.instead == own.family && $0.languages.contains(wish.language) } + [own]
        }
        let order = Order(
            faces: all.filter { $0.isMonospaced == face.isMonospaced }
                + all.filter { $0.isMonospaced != face.isMonospaced })
        if orders.count >= Self.mostOrders { orders = [:] }
        orders[wish] = order
        return order
    }

    private static func file(of cluster: [Unicode.Scalar], among faces: [Face]) -> UInt16 {
        func hasAll(_ face: Face) -> Bool {
            cluster.allSatisfy { face.whole.characters.contains($0.value) || $0.isQuiet }
        }
        let emoji = cluster.isEmoji ? faces.first { $0.isEmoji && hasAll($0) } : nil
        let face = emoji ?? faces.first(where: hasAll) ?? faces[0]
        let own = cluster.filter { face.whole.characters.contains($0.value) }
        let slice = face.slices.first { slice in own.allSatisfy { slice.characters.contains($0.value) } }
        return (slice ?? face.whole).number
    }
}

extension TextFace {
    /// The face of a stretch with a look of its own.
    fileprivate func with(_ look: Look) -> TextFace {
        TextFace(
            weight: look.contains(.bold) ? max(700, weight) : weight, isItalic: isItalic || look.contains(.italic),
            isMonospaced: isMonospaced || look.contains(.monospaced))
    }
}

extension Unicode.Scalar {
    /// Whether nothing is drawn for the character, so that a face need not have it.
    fileprivate var isQuiet: Bool { properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control }
}

extension [Unicode.Scalar] {
    /// Whether a character of it has emoji presentation.
    fileprivate var isEmoji: Bool {
        indices.contains { place in
            let properties = self[place].properties
            return properties.isEmojiPresentation || properties.isEmojiModifier
                || properties.isEmoji && place + 1 < count && self[place + 1].value == 0xfe0f
        }
    }
}
