package import MessageLayout
package import Shaping
package import Typography

/// A style from its files: the style's own, and one for each kind in the folder that it names.
package enum StyleFiles {
    /// The reason why the path of a style cannot be used, or why a stored edition cannot be laid out here.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case unreadable(path: String)
        case noKinds(path: String)
        /// A text would be measured in another face than it asks for, and be drawn wider than its lines.
        case lacksFace(style: String, text: String, face: TextStyle, family: String?)
        /// Content may take `room` of a row, in device pixels, and the things beside it leave less; with so many points
        /// in the setting it would fit.
        case tooWide(
            style: String, row: String, target: String, room: Int32, left: Int32, setting: String, points: Int64)
        /// Another release of Forme lays out by other rules.
        case otherRules(edition: String, stored: Int, here: Int)
        case lacksFont(edition: String, path: String, hash: String)
        /// The stored data makes another edition here than where it was stored.
        case otherEdition(stored: String, here: String)

        package var description: String {
            switch self {
            case .unreadable(let path): "\(path) cannot be read; name a style such as config/styles/bubble.json5"
            case .noKinds(let path): "\(path) has no *.json5; a style needs at least one kind of message"
            case .lacksFace(let style, let text, let face, let family?):
                "\(style): the text '\(text)' needs a face of \(face.words), which the font \(family) does not have; add it to the "
                    + "faces of \(family) in the list of fonts, or change the text"
            case .lacksFace(let style, let text, let face, nil):
                "\(style): the text '\(text)' needs a face of \(face.words), and no family in the list of fonts is monospaced; add one, "
                    + "such as Noto Sans Mono (Debian's fonts-noto-mono), or change the text"
            case .tooWide(let style, let row, let target, let room, let left, let setting, let points):
                "\(style): on \(target) the content of rows '\(row)' may take \(room) pixels, and what may stand beside it "
                    + "leaves \(left); set \(setting) to \(points) or more, or make avatar, handle, icon or insets of the "
                    + "decoration smaller"
            case .otherRules(let edition, let stored, let here):
                "the edition \(edition) was made with engine rules \(stored), and this release has \(here)"
            case .lacksFont(let edition, let path, let hash):
                "the edition \(edition) needs the font \(path) with the hash \(hash.prefix(16))…, and no font of the list has it"
            case .otherEdition(let stored, let here):
                "what is stored of the edition \(stored) makes \(here) here"
            }
        }
    }

    package static func open(_ path: String) throws -> StyleSheet { try StyleDocuments(reading: path).sheet() }

    /// Throws for a style whose texts ask for a face that the fonts do not have.
    /// - Parameter file: the style's file, for errors.
    package static func check(_ style: StyleSheet, of file: String, with fonts: [FontFamily]) throws(Problem) {
        for asked in style.askedFaces {
            let family = fonts.first(for: asked.face)
            guard let family, family.has(asked.face) else {
                throw .lacksFace(style: file, text: asked.text, face: asked.face, family: family?.name)
            }
        }
    }
}

extension TextStyle {
    fileprivate var words: String {
        "weight \(weight)" + (isItalic ? ", italic" : "") + (isMonospaced ? ", of fixed pitch" : "")
    }
}
