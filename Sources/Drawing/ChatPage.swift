import MessageLayout

/// Rows as files that stand alone: a page of HTML, or one SVG. Neither asks anybody for anything, and nothing in them
/// runs.
package struct ChatPage {
    /// Rows one below the other, as on one screen.
    package struct Screen {
        package var caption: String
        package var rows: [RowPicture]
        package init(_ caption: String, _ rows: [RowPicture]) { (self.caption, self.rows) = (caption, rows) }

        var width: Double { rows.map(\.width).max() ?? 0 }
        var height: Double { rows.reduce(0) { $0 + $1.height } }
        /// Rows without bubbles stand on the paper itself.
        var classes: String { rows.contains(where: \.hasBubble) ? "screen" : "screen plain" }
    }

    /// Characters that rows show, and a few more; the fonts of the page need them all.
    package static func characters(of screens: [Screen]) -> String {
        screens.flatMap(\.rows).map(\.markup.text).joined()
    }

    private let title: String
    private let screens: [Screen]
    private let fonts: PageFonts
    private let scheme: Scheme

    package init(_ title: String, _ screens: [Screen], fonts: PageFonts, scheme: Scheme = .system) {
        (self.title, self.screens, self.fonts, self.scheme) = (title, screens, fonts, scheme)
    }

    /// The rights of a page in a browser: it may show its own content, and nothing else.
    package static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

    package var html: String {
        var page = Markup()
        for screen in screens {
            page.open("figure")
            page.open("div", [("class", screen.classes), ("style", "width: \(screen.width.markup)px")])
            for row in screen.rows { page.append(row.element()) }
            page.close("div")
            if !screen.caption.isEmpty { page.append("<figcaption>\(Markup.escaped(screen.caption))</figcaption>\n") }
            page.close("figure")
        }
        return """
            <!doctype html>
            <html lang="en" data-scheme="\(scheme)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ChatPage.policy)">
            <meta name="viewport" content="width=device-width">
            <title>\(Markup.escaped(title))</title>
            <style>
            \(PictureSheet.css(fonts))
            \(ChatPage.style)
            </style>
            </head>
            <body>
            \(ChatPage.definitions)<main>
            \(page.text)</main>
            </body>
            </html>

            """
    }

    private static let style = """
        body { margin: 0; background: var(--pill); color: var(--ink); font: 13px sans-serif; }
        main { display: flex; flex-wrap: wrap; gap: 24px; padding: 24px; justify-content: center; align-items: flex-start; }
        figure { margin: 0; }
        figcaption { color: var(--faint); padding: 8px 2px; }
        .screen { background: var(--page); overflow: hidden; border-radius: 14px; }
        .screen.plain { background: var(--bubble); }
        """

    /// Colours that pictures begin and end with, once for all that stand on a page.
    package static let definitions: String = {
        var markup = Markup()
        markup.open("svg", [("width", "0"), ("height", "0"), ("style", "position: absolute")])
        markup.append(gradients)
        markup.close("svg")
        return markup.text
    }()

    private static let gradients: String = {
        var markup = Markup()
        for number in 0..<Hue.count {
            markup.open(
                "linearGradient", [("id", "picture\(number)"), ("x1", "0"), ("y1", "0"), ("x2", "1"), ("y2", "1")])
            markup.element("stop", [("class", "p\(number)")])
            markup.element("stop", [("class", "p\((number + 3) % Hue.count)"), ("offset", "1")])
            markup.close("linearGradient")
        }
        return markup.text
    }()

    /// Everything that a page with such pictures needs in its style.
    package static func looks(_ fonts: PageFonts) -> String { PictureSheet.css(fonts) + "\n" + style }

    package var svg: String {
        let (margin, captionHeight) = (12.0, 18.0)
        let hasCaptions = screens.contains { !$0.caption.isEmpty }
        let edge = hasCaptions ? margin : 0
        var inside = Markup()
        var y = edge
        for screen in screens {
            if hasCaptions {
                inside.text(screen.caption, [("class", "caption"), ("x", edge), ("y", y + 10)])
                y += captionHeight
            }
            for row in screen.rows {
                inside.append(row.element(left: edge, top: y))
                y += row.height
            }
            y += edge
        }
        let size = "width=\"\(((screens.map(\.width).max() ?? 0) + 2 * edge).markup)\" height=\"\(y.markup)\""
        let ground = screens.contains { !$0.classes.hasSuffix("plain") } ? "page" : "bubble"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" data-scheme="\(scheme)" \(size)>
            <style>
            \(PictureSheet.css(fonts))
            .caption { font: 11px sans-serif; fill: var(--faint); }
            </style>
            \(ChatPage.gradients)<rect width="100%" height="100%" style="fill: var(--\(ground))"/>
            \(inside.text)</svg>

            """
    }
}
