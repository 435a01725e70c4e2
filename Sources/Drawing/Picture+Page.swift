extension Picture {
    /// Pictures one below the other, each with its caption and its size in points, as a file that stands alone.
    package static func page(_ pictures: [(caption: String, picture: Picture)]) -> String {
        let (margin, captionHeight) = (12.0, 18.0)
        var inside = Markup()
        var bottom = margin
        for (caption, picture) in pictures {
            let words = "\(caption) · \(picture.size)"
            inside.text([.init(text: words, look: [])], [("class", "caption"), ("x", margin), ("y", bottom + 10)])
            bottom += captionHeight
            inside.append(picture.element(left: margin, top: bottom))
            bottom += picture.height + margin
        }
        let width = max(200, (pictures.map(\.picture.width).max() ?? 0) + 2 * margin)
        let size = "width=\"\(width.markup)\" height=\"\(bottom.markup)\""
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size)>\n<style>\n\(style)\n</style>\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\(inside.text)</svg>\n"
    }

    /// The looks of everything that a picture has in it. The fonts are those of config/fonts.json5, where they are installed.
    package static let style = """
        svg.layout { overflow: visible; direction: ltr; }
        svg.layout text { font-family: \(families), sans-serif; white-space: pre; }
        svg.layout .monospaced { font-family: 'Noto Sans Mono', monospace; }
        svg.layout path, svg.layout rect { vector-effect: non-scaling-stroke; }
        .caption { font: 11px sans-serif; fill: #777; }
        .box, .stamp, .control, .icon, .track, .divider, .spoiler, .avatar { stroke: #0003; fill: #fff0; }
        .avatar, .icon { fill: #d8dde6; }
        .track, .divider { fill: #c3cad6; }
        .spoiler { fill: #555; }
        .stamp { stroke: #c60; }
        .media { fill: #e3e8ee; stroke: #9aa7b8; }
        .cross { stroke: #b4bfcc; fill: none; }
        .bar { fill: #6b83a8; }
        .baseline { stroke: #f003; fill: none; }
        .entity { fill: #06f2; stroke: #06f6; }
        .region { fill: #fff0; stroke: #080; stroke-dasharray: 4 3; }
        .bold { font-weight: 700; }
        .italic { font-style: italic; }
        .strike { text-decoration: line-through; }
        .underline { text-decoration: underline; }
        """

    private static let families = [
        "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai", "Noto Sans Devanagari",
        "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Khmer", "Noto Sans Myanmar", "Noto Sans CJK SC",
        "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Noto Color Emoji",
    ].map { "'\($0)'" }.joined(separator: ", ")
}
