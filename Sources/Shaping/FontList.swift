internal import Typography

/// The ordered fonts of an edition. Order decides fallback: the first family that has a cluster draws it.
package final class FontList: Sendable {
    package let families: [FontFamily]
    /// Every face once, in the order of the list. Runs name faces by their place here.
    package let faces: [FontFace]
    private let facesOfFamily: [[Int]]

    /// Families are numbers of a byte in tables of characters.
    package static let mostFamilies = FamilyPlace.most

    /// Opens every face. Files are mapped, not read: a list of 50 MB opens in milliseconds.
    package init(_ families: [FontFamily]) throws(FontError) {
        guard !families.isEmpty else { throw .noFamilies }
        guard families.count <= FontList.mostFamilies else { throw .tooManyFamilies(limit: FontList.mostFamilies) }
        for family in families {
            guard let instead = family.instead else { continue }
            guard families.contains(where: { $0.name == instead && $0.instead == nil }) else {
                throw .standsForNone(family: family.name, instead: instead)
            }
        }
        var faces: [FontFace] = []
        var facesOfFamily: [[Int]] = []
        for family in families {
            guard !family.faces.isEmpty else { throw .noFaces(family: family.name) }
            var places: [Int] = []
            for file in family.faces {
                places.append(faces.count)
                faces.append(try FontFace(file))
            }
            facesOfFamily.append(places)
        }
        self.families = families
        self.faces = faces
        self.facesOfFamily = facesOfFamily
    }

    /// The faces that a style uses, one for each family, in the order in which they are tried.
    func faces(for style: TextStyle) -> [Int] {
        let order = families.indices.filter { families[$0].instead == nil }.sorted { a, b in
            let (first, second) = (rank(a, for: style), rank(b, for: style))
            return first != second ? first < second : a < b
        }
        return order.flatMap { regional(of: $0, in: style.language) + [$0] }.map { face(of: $0, for: style) }
    }

    /// Families that stand in front of another where a text is in their language.
    private func regional(of family: Int, in language: Language) -> [Int] {
        guard language != .none else { return [] }
        return families.indices.filter {
            families[$0].instead == families[family].name && families[$0].languages.contains(language)
        }
    }

    /// A text's language as families name it. Texts in any other language are measured as texts without one.
    func language(of language: Language) -> Language { language.mostExact(of: families.lazy.flatMap(\.languages)) }

    /// Families of fixed pitch come first where fixed pitch is asked for, and last where it is not.
    private func rank(_ family: Int, for style: TextStyle) -> Int {
        let isMonospaced = families[family].isMonospaced
        return style.isMonospaced ? (isMonospaced ? 0 : 1) : (isMonospaced ? 1 : 0)
    }

    private func face(of family: Int, for style: TextStyle) -> Int {
        let places = facesOfFamily[family]
        let files = families[family].faces
        let best = places.indices.min { a, b in
            distance(files[a], from: style) < distance(files[b], from: style)
        }
        return places[best ?? 0]
    }

    /// Slant before weight; of two weights equally far, the one that comes first in the list.
    private func distance(_ file: FaceFile, from style: TextStyle) -> Int {
        let slant = file.isItalic == style.isItalic ? 0 : 10_000
        return slant + abs(Int(file.weight ?? style.weight) - Int(style.weight))
    }

    /// Whether `face` belongs to an emoji family.
    func isEmoji(face: Int) -> Bool {
        facesOfFamily.indices.contains { families[$0].isEmoji && facesOfFamily[$0].contains(face) }
    }
}
