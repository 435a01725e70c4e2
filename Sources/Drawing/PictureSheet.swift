/// The style sheet of pictures: classes that `RowPicture` gives, and colours of the theme.
enum PictureSheet {
    static func css(_ fonts: PageFonts) -> String {
        """
        \(fonts.css)
        \(Theme.standard.css)
        \(shapes)
        \(texts)
        svg.row text { font-family: \(fonts.families(isMonospaced: false)); }
        svg.row .monospaced { font-family: \(fonts.families(isMonospaced: true)); }
        \(languages(fonts))
        """
    }

    /// The fonts of languages, the most exact languages last, so that they win.
    private static func languages(_ fonts: PageFonts) -> String {
        fonts.languages.sorted { $0.utf8.count < $1.utf8.count }.map { language in
            """
            svg.row text:lang(\(language)) { font-family: \(fonts.families(isMonospaced: false, language: language)); }
            svg.row .monospaced:lang(\(language)) { font-family: \(fonts.families(isMonospaced: true, language: language)); }
            """
        }.joined(separator: "\n")
    }

    private static let shapes = """
        svg.row { overflow: visible; direction: ltr; display: block; }
        .box { fill: none; }
        .bubble { fill: var(--bubble); }
        .quote { fill: var(--quote); }
        .code { fill: var(--code); }
        .chip { fill: var(--chip); }
        .chip.chosen { stroke: var(--accent); stroke-width: 1.2; vector-effect: non-scaling-stroke; }
        .button { fill: var(--button); }
        .input { fill: var(--input); stroke: var(--line); vector-effect: non-scaling-stroke; }
        .pill { fill: var(--pill); }
        .plate { fill: var(--plate); }
        .unknown { fill: var(--unknown); }
        .capsule { fill: var(--capsule); }
        .accent { fill: var(--accent); }
        .track { fill: var(--track); }
        .rule { fill: var(--line); }
        .failed { fill: var(--failed); }
        .missing { fill: var(--missing); }
        .spoiler { fill: var(--spoiler); }
        .spoiler:hover { opacity: 0.08; }
        .glyph { fill: none; stroke: var(--over); stroke-linecap: round; stroke-linejoin: round; }
        .glyph.solid { fill: var(--over); stroke: none; }
        .glyph.quiet { stroke: var(--faint); }
        .glyph.link { stroke: var(--link); }
        .glyph.read { stroke: var(--read); }
        .glyph.dim { opacity: 0.55; }
        .map { fill: #cfe0cc; }
        .road { fill: none; stroke: #fff; stroke-linecap: round; }
        .water { fill: #a9cde8; }
        .glyph.pin { fill: var(--failed); }
        image { image-rendering: auto; }
        \((0..<Hue.count).map { ".d\($0) { fill: var(--d\($0)); } .p\($0) { stop-color: var(--p\($0)); }" }.joined(separator: "\n"))
        .baseline { stroke: #f00a; fill: none; vector-effect: non-scaling-stroke; }
        .entity { fill: #06f2; stroke: #06f9; vector-effect: non-scaling-stroke; }
        .region { fill: #fff0; stroke: #0a0; stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; }
        """

    private static let texts = """
        svg.row text { fill: var(--ink); white-space: pre; cursor: text; font-kerning: normal; font-synthesis: style;
          font-variant-emoji: unicode; text-spacing-trim: space-all; text-autospace: no-autospace; }
        svg.row text.faint { fill: var(--faint); }
        svg.row text.link, svg.row tspan.link { fill: var(--link); }
        svg.row text.over { fill: var(--over); }
        \((0..<Hue.count).map { "svg.row text.n\($0) { fill: var(--n\($0)); }" }.joined(separator: "\n"))
        .bold { font-weight: 700; }
        .italic { font-style: italic; }
        .strike { text-decoration: line-through; }
        .underline { text-decoration: underline; }
        """
}
