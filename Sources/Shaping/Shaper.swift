internal import CHarfBuzz
package import Typography

/// Turns texts into measured texts. One lane of work owns one shaper: it keeps ICU's iterators, HarfBuzz's buffer and
/// the caches, and shares only the fonts.
///
///     var shaper = try Shaper(fonts: list)
///     let measured = shaper.measure("See you at nine?")
package struct Shaper: ~Copyable {
    let fonts: FontList
    let unicode: Unicode
    let pieces = PieceShaper()
    var styles: [TextStyle: StyleFonts] = [:]
    var cache: PieceCache
    /// Faces whose glyphs neither kern nor join across a space, found out when first asked.
    var spaceSafety: [Int: Bool] = [:]
    var analysis = TextAnalysis()

    package init(fonts: FontList, cacheBytes: Int = PieceCache.usualBytes) throws(FontError) {
        self.fonts = fonts
        unicode = try Unicode()
        cache = PieceCache(limit: cacheBytes)
    }

    package mutating func measure(_ text: String, style: TextStyle = .regular) -> MeasuredText {
        measure(RichText(text, style: style))
    }

    /// Never fails: lone surrogates are measured as U+FFFD, characters that no font has as `.notdef`, and the result
    /// says so.
    package mutating func measure(_ text: RichText) -> MeasuredText {
        guard !text.units.isEmpty else { return .empty }
        analysis.begin(text)
        prepareStyles()
        analyse()
        return assemble(boxes: text.boxes)
    }

    private mutating func prepareStyles() {
        for style in analysis.styles where styles[style] == nil { styles[style] = StyleFonts(style, of: fonts) }
    }

    private mutating func analyse() {
        for stretch in analysis.stretches {
            analysis.readCharacters(in: stretch, &styles[analysis.styles[stretch.style]]!.characters)
        }
        analysis.findClusters(unicode)
        analysis.findOpportunities(unicode, &styles[analysis.styles[0]]!.characters)
        analysis.findLevels(unicode)
        ScriptRuns.resolve(
            analysis.units, table: &styles[analysis.styles[0]]!.characters, into: &analysis.scripts)
        for stretch in analysis.stretches {
            analysis.chooseFonts(in: stretch, &styles[analysis.styles[stretch.style]]!)
        }
    }
}
