import Console
import Drawing
import Foundation
import Shaping
import Typography

/// The list of fonts as pages name them.
struct ListedFonts {
    private let families: [FontFamily]
    private let faces: [FontFace]

    init(_ list: FontList) { (families, faces) = (list.families, list.faces) }

    /// Opens the fonts of a command that draws the layouts of others.
    static func open(_ arguments: Arguments) throws -> ListedFonts { ListedFonts(try FontOption.loader(arguments)()) }

    /// The fonts by the names that they give themselves: a system that has them finds them.
    var fonts: PageFonts { PageFonts(named.map(\.page)) }

    private struct Named {
        var family: FontFamily
        var file: FaceFile
        var face: FontFace
        var page: PageFonts.Face
    }

    private var named: [Named] {
        let files = families.flatMap { family in family.faces.map { (family, $0) } }
        return zip(files, faces).map { entry, face in
            let (family, file) = entry
            // The family is not the system's own name, under which it may have another face.
            let page = PageFonts.Face(
                family: "Forme \(family.name)", weight: file.weight.map { Int($0) }, isItalic: file.isItalic,
                isMonospaced: family.isMonospaced, languages: family.languages.map(\.description),
                instead: family.instead.map { "Forme \($0)" }, names: face.fullNames)
            return Named(family: family, file: file, face: face, page: page)
        }
    }

    /// The fonts, with the bytes of those that have a character which none before them has.
    /// - Parameter characters: all that is shown, with the names of its looks.
    func embedded(for characters: String) throws -> PageFonts {
        var left = Set(characters.unicodeScalars.filter { $0.value > 0x20 })
        let emoji = left.filter { $0.properties.isEmojiPresentation || $0.value == 0xfe0f }
        let (hasItalics, hasFixedPitch) = (characters.contains("italic"), characters.contains("monospaced"))
        var wanted: Set<String> = []
        for family in families {
            let own = faces(of: family.name)
            guard let face = own.first?.face else { continue }
            let found = (family.isEmoji ? emoji.union(left) : left.subtracting(emoji)).filter { face.has($0.value) }
            if family.isMonospaced ? hasFixedPitch : !found.isEmpty { wanted.insert(family.name) }
            if !family.isMonospaced { left.subtract(found) }
        }
        return PageFonts(
            try named.map { named in
                var page = named.page
                guard wanted.contains(named.family.name), hasItalics || !named.file.isItalic else { return page }
                guard let bytes = FileManager.default.contents(atPath: named.file.path),
                    let font = FontFile.face(named.file.index, of: Array(bytes))
                else {
                    throw Failure(
                        .inputOutput, "\(named.file.path) cannot be read; leave --embed-fonts away, or mend the font")
                }
                page.file = font
                return page
            })
    }

    private func faces(of family: String) -> [Named] { named.filter { $0.family.name == family } }
}
