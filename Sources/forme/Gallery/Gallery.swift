import Console
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import Typography

extension Command {
    static let gallery = Command(
        name: "gallery",
        summary: "draws messages of every kind, in all their layouts, on one page",
        usage: """
            usage: forme gallery [OPTIONS] --output FILE.html

              --output FILE        the page; it needs nothing beside it
              --style FILE         once for each style (default: all in \(GalleryStyle.standardFolder))
              --fixtures FOLDER    messages as KIND.json, an array, or KIND.jsonl
                                   (default: \(Fixtures.standardFolder) where it is there, else a few texts)
              --text-scale FACTOR  the reader's text size, 0.25 to 4 (default: 1)
            \(FontOption.usage)

            What is shown (styles, targets, variants, states, directions) is chosen on the page.
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "gallery", options: [FontOption.name, "output", "style", "fixtures", "text-scale"],
            lists: ["style"])
        let output = try arguments.required("output")
        let fonts = FontOption.loader(arguments)
        let paths = try arguments.texts("style").isEmpty ? GalleryStyle.standard() : arguments.texts("style")
        let fixtures = try Fixtures(folder: arguments.text("fixtures"))
        var page = GalleryPage()
        for path in paths {
            var style = try GalleryStyle(path, fonts: fonts(), textScale: arguments.textScale())
            try fixtures.forEach { (message) throws(JSONError) in page.add(message, by: &style) }
            page.add(style)
        }
        try OutputFile.write(page.html, to: output)
        print("\(output): \(page.summary)")
    }
}

/// A style with everything that it takes to draw in it. Of each target there are two, the second one mirrored.
struct GalleryStyle: ~Copyable {
    let sheet: StyleSheet
    let targets: [Target]
    var engine: LayoutEngine

    static let standardFolder = "config/styles"

    static func standard() throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: standardFolder)) ?? []
        let styles = names.filter { $0.hasSuffix(".json5") }.sorted()
        guard !styles.isEmpty else {
            throw Failure(.inputOutput, "\(standardFolder) has no styles; name one with --style")
        }
        return styles.map { "\(standardFolder)/\($0)" }
    }

    init(_ path: String, fonts: FontList, textScale: TextScale?) throws {
        let sheet = try StyleFiles.open(path)
        try StyleFiles.check(sheet, of: path, with: fonts.families)
        let targets = sheet.targets.map { target in
            var target = target
            target.textScale = textScale ?? target.textScale
            return target
        }
        let mirrored = targets.map { target in
            var target = target
            target.isMirrored = true
            return target
        }
        let engine = try LayoutEngine(style: sheet, fonts: fonts, targets: targets + mirrored)
        // All at once: what throws must not leave a value behind that cannot be copied.
        (self.sheet, self.targets) = (sheet, targets)
        self.engine = engine
    }
}
