/// Sets as lists of words, for output that people read.
extension Pins {
    package var names: [String] {
        names([("start", .start), ("end", .end), ("top", .top), ("bottom", .bottom)])
    }
}

extension Corners {
    package var names: [String] {
        names([
            ("topStart", .topStart), ("topEnd", .topEnd), ("bottomStart", .bottomStart), ("bottomEnd", .bottomEnd),
        ])
    }
}

extension NodeTraits {
    package var names: [String] { names([("clips", .clips), ("opaque", .opaque), ("overlaid", .overlaid)]) }
}

extension Look {
    package var names: [String] {
        names([
            ("bold", .bold), ("italic", .italic), ("strike", .strike), ("monospaced", .monospaced),
            ("underline", .underline),
        ])
    }
}

extension Confidence {
    package var names: [String] {
        names([
            ("missing_glyph", .missingGlyph), ("fallback_font", .fallbackFont), ("unknown_kind", .unknownKind),
        ])
    }
}

extension OptionSet where Element == Self {
    fileprivate func names(_ known: [(String, Self)]) -> [String] { known.filter { contains($0.1) }.map(\.0) }
}
