import JSON

/// The settings that a client needs beside the fonts, so that lines are as wide as they were measured: by the kind of
/// client, with names and values as its own documentation has them.
enum FontSettings {
    typealias Setting = (name: String, value: String)

    /// Properties of the element that has one line.
    static let css: [Setting] = [
        // Lines are broken already, and begin and end where the row says.
        ("white-space", "pre"), ("unicode-bidi", "isolate"), ("line-height", "0"),
        // A font for emoji draws emoji presentation, where Unicode says so, and nothing else.
        ("font-variant-emoji", "unicode"),
        // Full-width punctuation is an em wide everywhere, and nothing stands between Han and Latin letters.
        ("text-spacing-trim", "space-all"), ("text-autospace", "no-autospace"),
        // A face that a style asks for is there, or its slant is made from the upright one.
        ("font-synthesis", "style"), ("font-kerning", "normal"), ("font-variant-ligatures", "normal"),
        ("letter-spacing", "0"), ("word-spacing", "0"), ("text-rendering", "auto"), ("font-size-adjust", "none"),
    ]

    /// Attributes of the string of a line, and of the descriptor of its font.
    static let uikit: [Setting] = [
        ("kCTFontCascadeListAttribute", "the other families, in the order of this list"),
        ("kCTLanguageAttributeName", "en"), ("NSAttributedString.Key.ligature", "1"),
        ("NSAttributedString.Key.kern", "unset"), ("NSAttributedString.Key.tracking", "0"),
        ("NSParagraphStyle.lineBreakMode", "byClipping"), ("NSParagraphStyle.lineBreakStrategy", "[]"),
        ("NSParagraphStyle.allowsDefaultTighteningForTruncation", "false"),
        ("UILabel.adjustsFontForContentSizeCategory", "false"), ("UILabel.adjustsFontSizeToFitWidth", "false"),
    ]

    /// Properties of the `Paint` and the `Typeface` of a line.
    static let android: [Setting] = [
        ("Typeface.CustomFallbackBuilder", "the families in the order of this list"),
        ("Paint.flags", "SUBPIXEL_TEXT_FLAG | LINEAR_TEXT_FLAG"), ("Paint.hinting", "HINTING_OFF"),
        ("Paint.textLocale", "en"), ("Paint.letterSpacing", "0"), ("Paint.wordSpacing", "0"),
        ("Paint.textScaleX", "1"), ("Paint.fontFeatureSettings", ""), ("Paint.isElegantTextHeight", "false"),
    ]

    static let all: [(client: String, settings: [Setting])] = [("css", css), ("uikit", uikit), ("android", android)]

    static let shape: JSONShape = .object(all.map { ($0.client, .table(.text())) })

    static func write(to json: inout JSONWriter) {
        json.object { json in
            for (client, settings) in all {
                json.key(client)
                json.object { json in
                    for setting in settings {
                        json.key(setting.name)
                        json.string(setting.value)
                    }
                }
            }
        }
    }
}
