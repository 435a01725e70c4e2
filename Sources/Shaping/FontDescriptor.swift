import Glibc
package import Typography

/// One family of the ordered font list, as configuration names it.
package struct FontFamily: Hashable, Sendable {
    package var name: String
    /// Whether it is drawn for every character with emoji presentation, before any other family.
    package var isEmoji: Bool
    /// Whether it comes first where a style asks for fixed pitch.
    package var isMonospaced: Bool
    /// The languages in whose texts it stands in front of the family that it is there for; in other texts it is not
    /// asked.
    package var languages: [Language]
    /// The name of that family.
    package var instead: String?
    package var faces: [FaceFile]
    /// The file with the text under which its fonts may be passed on; nil where the list names none.
    package var licence: String?

    package init(
        name: String, isEmoji: Bool = false, isMonospaced: Bool = false, languages: [Language] = [],
        instead: String? = nil, faces: [FaceFile], licence: String? = nil
    ) {
        self.name = name
        self.languages = languages
        self.instead = instead
        self.licence = licence
        self.isEmoji = isEmoji
        self.isMonospaced = isMonospaced
        self.faces = faces
    }
}

extension [FontFamily] {
    /// The family that a style asks first; nil where it asks for fixed pitch, and none has it.
    package func first(for style: TextStyle) -> FontFamily? {
        first { $0.isMonospaced == style.isMonospaced && $0.instead == nil }
    }
}

extension FontFamily {
    /// Whether this very face is in it, so that no other stands in for it.
    package func has(_ style: TextStyle) -> Bool {
        faces.contains { $0.isItalic == style.isItalic && ($0.weight ?? style.weight) == style.weight }
    }
}

/// The file and the place of one face of a family.
package struct FaceFile: Hashable, Sendable {
    /// The weight as CSS counts; nil for the only face, which serves every weight.
    package var weight: Int16?
    package var isItalic: Bool
    package var path: String
    /// Place in a collection, else 0.
    package var index: Int
    /// The identity of the whole file; nil until the file was read.
    package var identity: FontIdentity?

    package init(
        weight: Int16?, isItalic: Bool = false, path: String, index: Int = 0, identity: FontIdentity? = nil
    ) {
        self.weight = weight
        self.isItalic = isItalic
        self.path = path
        self.index = index
        self.identity = identity
    }
}

/// The identity of a font file, independent of its path and name: the BLAKE2b hash of all of its bytes. Faces of
/// equal identity and index measure alike on every machine.
package struct FontIdentity: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

extension FontIdentity: CustomStringConvertible {
    /// The hash in hexadecimal digits.
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

package enum FontError: Error, Hashable, Sendable {
    case noFamilies
    case tooManyFamilies(limit: Int)
    case noFaces(family: String)
    /// A family stands for one that is not in the list, or for one that stands for another itself.
    case standsForNone(family: String, instead: String)
    case unreadable(path: String, code: Int32)
    /// The file is there, and is no font, or a broken one.
    case notAFont(path: String)
    case noSuchFace(path: String, index: Int, faces: Int)
    /// ICU's data is not installed, or out of memory.
    case noUnicodeData
}

extension FontError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFamilies: "the font list is empty; name at least one family"
        case .tooManyFamilies(let limit): "the font list has more than \(limit) families"
        case .noFaces(let family): "font family \(family) has no faces"
        case .standsForNone(let family, let instead):
            "font family \(family) is there instead of \(instead), which is not in the list, or is itself there instead of another"
        case .unreadable(let path, ENOENT):
            "\(path) is missing; install the package of this font, or name another list of fonts"
        case .unreadable(let path, let code): "\(path) cannot be read: \(unsafe String(cString: strerror(code)))"
        case .notAFont(let path): "\(path): is not an OpenType font, or is damaged"
        case .noSuchFace(let path, let index, let faces):
            "\(path): has no face \(index); it has \(faces), counted from 0"
        case .noUnicodeData: "ICU's data could not be opened; is libicu72 installed?"
        }
    }
}
