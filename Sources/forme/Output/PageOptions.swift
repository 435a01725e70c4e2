import Console
import Drawing
import Foundation

/// The options of drawings, their files and their looks, which `layout`, `fetch` and `gallery` have in common.
struct PageOptions {
    static let names = ["html", "svg"]
    static let switches = looks + ["embed-fonts"]
    static let looks = ["dark", "light"]
    static let usage = """
          --html FILE          draw it as a page that needs nothing beside it; with - to standard output
          --svg FILE           draw it as one picture
        \(looksUsage)
          --embed-fonts        put the fonts that it shows into it, for readers who do not have them installed
        """
    static let looksUsage = """
          --dark, --light      one scheme of colours (default: the one that its reader's system asks for)
        """

    let html: String?
    let svg: String?
    let scheme: Scheme
    private let embedsFonts: Bool

    init(_ arguments: Arguments) throws {
        (html, svg, embedsFonts) = (arguments.text("html"), arguments.text("svg"), arguments.has("embed-fonts"))
        scheme = try Self.scheme(arguments)
        guard html != "-" || svg != "-" else {
            throw arguments.refusal("--html and --svg cannot both go to standard output")
        }
        if isEmpty, let name = Self.switches.first(where: arguments.has) {
            throw arguments.refusal("--\(name) goes with --html or --svg")
        }
    }

    static func scheme(_ arguments: Arguments) throws -> Scheme {
        guard !arguments.has("dark") || !arguments.has("light") else {
            throw arguments.refusal("--dark and --light exclude each other")
        }
        return arguments.has("dark") ? .dark : arguments.has("light") ? .light : .system
    }

    /// Whether nothing is to be drawn.
    var isEmpty: Bool { html == nil && svg == nil }

    func write(_ title: String, _ screens: [ChatPage.Screen], _ files: ListedFonts) throws {
        let fonts = embedsFonts ? try files.embedded(for: ChatPage.characters(of: screens)) : files.fonts
        let page = ChatPage(title, screens, fonts: fonts, scheme: scheme)
        if let html { try OutputFile.write(page.html, to: html) }
        if let svg { try OutputFile.write(page.svg, to: svg) }
    }
}
