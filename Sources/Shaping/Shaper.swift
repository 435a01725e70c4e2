internal import CHarfBuzz
package import Typography

/// The engine that turns texts into measured texts. One lane of work owns one shaper: it keeps ICU's iterators,
/// HarfBuzz's buffer and the caches, and shares only the fonts.
///
///     var shaper = try Shaper(fonts: list)
///     let measured = shaper.measure("See you at nine?")
package struct Shaper: ~Copyable {
    let fonts: FontList
    let unicode: Unicode
    var pieces = PieceShaper()
    /// The piece that was shaped last.
    var piece = Piece()
    /// The fonts of every style that was met: a handful.
    private(set) var styles: [StyleFonts] = []
    var cache: PieceCache
    private let touched: TouchedFaces
    var analysis = TextAnalysis()
    /// The first unit of the last cluster before the run that is being measured.
    var base = 0
    var lettering = Lettering()

    package init(fonts: FontList, cacheBytes: Int = PieceCache.usualBytes) throws(FontError) {
        self.fonts = fonts
        unicode = try Unicode()
        touched = TouchedFaces(of: fonts.faces)
        cache = PieceCache(limit: cacheBytes)
    }

    package mutating func measure(_ text: String, style: TextStyle = .regular) -> MeasuredText {
        var result = MeasuredText.empty
        measure(text, style: style, into: &result)
        return result
    }

    /// Measures one text after another: `result` is overwritten, and its memory used again.
    package mutating func measure(_ text: String, style: TextStyle = .regular, into result: inout MeasuredText) {
        if lettering.read(text), measureByPairs(style, into: &result) { return }
        analysis.units.read(text)
        measureUnits(style, into: &result)
    }

    /// Measures a text in UTF-16 in the same way.
    package mutating func measure(_ units: [UInt16], style: TextStyle, into result: inout MeasuredText) {
        analysis.read(units)
        measureUnits(style, into: &result)
    }

    private mutating func measureUnits(_ style: TextStyle, into result: inout MeasuredText) {
        if lettering.read(analysis.units), measureByPairs(style, into: &result) { return }
        analysis.begin(style)
        measureAnalysed(boxes: [], into: &result)
    }

    /// Measures a text with styles and boxes. It never fails: lone surrogates are measured as U+FFFD, characters that
    /// no font has as `.notdef`, and the result says so.
    package mutating func measure(_ text: RichText) -> MeasuredText {
        var result = MeasuredText.empty
        analysis.read(text.units)
        analysis.begin(text.style, text.spans)
        measureAnalysed(boxes: text.boxes, into: &result)
        return result
    }

    private mutating func measureAnalysed(boxes: [InlineBox], into result: inout MeasuredText) {
        if analysis.units.isEmpty {
            result = .empty
        } else {
            analyse()
            assemble(boxes: boxes, into: &result)
        }
    }

    /// The hits and misses of the word cache so far, and the bytes that it holds.
    package var cacheStatistics: (hits: Int, misses: Int, bytes: Int) { (cache.hits, cache.misses, cache.byteCount) }

    mutating func fonts(for style: TextStyle) -> StyleFonts {
        var style = style
        if style.language != .none { style.language = fonts.language(of: style.language) }
        if let known = styles.first(where: { $0.style == style }) { return known }
        styles.append(StyleFonts(style, of: fonts, touched: touched))
        return styles[styles.count - 1]
    }

    private mutating func analyse() {
        analysis.fonts = analysis.styles.map { fonts(for: $0) }
        analysis.readCharacters()
        analysis.findClusters()
        analysis.findOpportunities(unicode)
        analysis.findItems()
        analysis.findLevels(unicode)
        ScriptRuns.resolve(analysis.units, analysis.characters, into: &analysis.scripts)
        analysis.chooseFonts()
    }
}
