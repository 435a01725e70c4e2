import Console
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import Typography

struct GalleryCommand: Command {
    let name = "gallery"
    let summary = "draws messages of every kind, in all their layouts, on one page"
    let usage = """
        usage: forme gallery [OPTIONS] --output FILE.html

          --output FILE        the page; it needs nothing beside it
          --style FILE         once for each style (default: all in \(GalleryStyle.standardFolder))
          --fixtures FOLDER    messages as KIND.json, an array, or KIND.jsonl
                               (default: \(Fixtures.standardFolder) where it is there)
          --text-scale FACTOR  the reader's text size, 0.25 to 4 (default: 1)
        \(QuietOption.usage)
        \(PageOptions.looksUsage)
        \(FontOption.usage)

        Every kind of the styles is there. One without messages, such as one that was just added, says the names of its fields.
        Styles, targets, variants, states, directions and colours are chosen on the page.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "gallery", options: [FontOption.name, "output", "style", "fixtures", "text-scale"],
            lists: ["style"], switches: PageOptions.looks + [QuietOption.name])
        let output = try arguments.required("output")
        let (fonts, scheme) = (FontOption.loader(arguments), try PageOptions.scheme(arguments))
        let paths = try arguments.texts("style").isEmpty ? GalleryStyle.standard() : arguments.texts("style")
        let fixtures = try Fixtures(folder: arguments.text("fixtures"))
        var (page, bar) = (GalleryPage(), GalleryBar(styles: paths.count, ProgressBar(arguments)))
        for path in paths {
            var style = try GalleryStyle(path, fonts: fonts(), textScale: arguments.textScale())
            try page.add(fixtures, to: &style, &bar)
            try page.add(style)
        }
        bar.end()
        try OutputFile.write(page.html(ListedFonts(fonts()).fonts, scheme), to: output)
        print("\(output): \(page.summary)")
    }
}

extension GalleryPage {
    /// Messages of every kind of a style: those of the fixtures, and one for each kind that has none there.
    fileprivate mutating func add(
        _ fixtures: Fixtures, to style: inout GalleryStyle, _ bar: inout GalleryBar
    ) throws(JSONError) {
        var (found, count): (Set<String>, Int) = ([], 0)
        try fixtures.forEach { (message) throws(JSONError) in
            found.insert(message.value["kind"]?.string ?? "")
            count += 1
        }
        let missing = style.sheet.templates.keys.filter { !found.contains($0) }.sorted()
        bar.begin(style.sheet.name, count + missing.count)
        try fixtures.forEach { (message) throws(JSONError) in
            bar.step()
            add(message, by: &style)
        }
        for kind in missing {
            bar.step()
            guard let template = style.sheet.template(for: kind) else { continue }
            note(
                "No message of this kind is in \(fixtures.folder) (\(kind).jsonl), so this one says the names of its fields.",
                of: kind)
            try JSONDocument(name: "a made-up \(kind)", bytes: SampleMessage.make(of: template), dialect: .json).read {
                (message) throws(JSONError) in add(message, by: &style)
            }
        }
    }
}

/// The progress of a gallery: so many messages of each style.
private struct GalleryBar {
    private let bar: ProgressBar
    private let styles: Int
    private var (style, name, done, count) = (0, "", 0, 1)

    init(styles: Int, _ bar: ProgressBar) { (self.styles, self.bar) = (styles, bar) }

    mutating func begin(_ name: String, _ count: Int) {
        (style, self.name, done, self.count) = (style + 1, name, 0, max(1, count))
    }

    mutating func step() {
        done += 1
        guard bar.isShown else { return }
        let part = UInt64((style - 1) * count + done)
        bar.show(part, of: UInt64(styles * count), "\(name): message \(done) of \(count)", since: 0)
    }

    func end() { bar.end() }
}

/// A style with everything that is needed to draw in it. Each target is there twice, the second time mirrored.
struct GalleryStyle: ~Copyable {
    let sheet: StyleSheet
    let targets: [Target]
    var engine: LayoutEngine

    static let standardFolder = "config/styles"

    static func standard() throws -> [String] {
        let folder = SharedFile.path(standardFolder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let styles = names.filter { $0.hasSuffix(".json5") }.sorted()
        guard !styles.isEmpty else {
            throw Failure(.inputOutput, "\(standardFolder) has no styles; name one with --style")
        }
        return styles.map { "\(folder)/\($0)" }
    }

    init(_ path: String, fonts: FontList, textScale: TextScale?) throws {
        let path = SharedFile.path(path)
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
        // All properties are set at once: an error must not leave a half-made value behind that cannot be copied.
        (self.sheet, self.targets) = (sheet, targets)
        self.engine = engine
    }
}
