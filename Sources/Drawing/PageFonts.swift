import Bytes

/// The faces that rows were measured with, for a page: by their names in the system, or by their bytes.
package struct PageFonts: Sendable {
    package struct Face: Sendable {
        package var family: String
        /// The weight as CSS counts; nil for the only face of a family, which serves every weight.
        package var weight: Int?
        package var isItalic: Bool
        package var isMonospaced: Bool
        /// Languages in whose texts it stands in front of the family `instead`; in others it is not asked.
        package var languages: [String]
        package var instead: String?
        /// The names that the font gives itself; a system that has the font finds it by them.
        package var names: [String]
        /// The font itself, to stand in the page; nil where the reader's system has to have it.
        package var file: [UInt8]?

        package init(
            family: String, weight: Int?, isItalic: Bool = false, isMonospaced: Bool = false,
            languages: [String] = [], instead: String? = nil, names: [String], file: [UInt8]? = nil
        ) {
            (self.family, self.weight, self.isItalic) = (family, weight, isItalic)
            (self.isMonospaced, self.names, self.file) = (isMonospaced, names, file)
            (self.languages, self.instead) = (languages, instead)
        }
    }

    /// The faces in the order in which they are asked for a character.
    package var faces: [Face]

    package init(_ faces: [Face]) { self.faces = faces }

    /// Families that are asked one after the other; those of fixed pitch first where fixed pitch is meant, and last
    /// elsewhere.
    /// - Parameter language: as a family names it; nil for none.
    func families(isMonospaced: Bool, language: String? = nil) -> String {
        var known: Set<String> = []
        let ordered =
            faces.filter { $0.isMonospaced == isMonospaced } + faces.filter { $0.isMonospaced != isMonospaced }
        let names = ordered.filter { $0.instead == nil }.flatMap { own in
            faces.filter { $0.instead == own.family && language.map($0.languages.contains) == true } + [own]
        }.map(\.family).filter { known.insert($0).inserted }
        return (names.map(PageFonts.quoted) + [isMonospaced ? "monospace" : "sans-serif"]).joined(separator: ", ")
    }

    /// All languages that faces are listed for, each once.
    var languages: [String] {
        var known: Set<String> = []
        return faces.flatMap(\.languages).filter { known.insert($0).inserted }
    }

    var css: String {
        faces.map { face in
            let sources =
                face.file.map { ["url(data:font/ttf;base64,\(Base64.text($0)))"] }
                ?? face.names.map { "local(\(PageFonts.quoted($0)))" }
            return
                "@font-face { font-family: \(PageFonts.quoted(face.family)); src: \(sources.joined(separator: ", ")); "
                + "font-weight: \(face.weight.map { "\($0)" } ?? "1 1000"); font-style: \(face.isItalic ? "italic" : "normal"); }"
        }.joined(separator: "\n")
    }

    /// A name in quotes for CSS, without characters that could end them. The family has a prefix that keeps it apart
    /// from the system's own of that name.
    private static func quoted(_ name: String) -> String {
        "'"
            + name.unicodeScalars.filter {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || " -_.".unicodeScalars.contains($0)
            }
            .map(String.init).joined() + "'"
    }
}
