/// The colours of pictures, by name, for light and dark screens. They belong to the page: rows name tokens, and the
/// page decides on their looks.
package struct Theme: Sendable {
    package typealias Pair = (name: String, light: Colour, dark: Colour)

    package let colours: [Pair]

    package static let standard = Theme(colours: surfaces + inks + names + discs + pictures)

    /// The grounds of words, and the surfaces that lie on these.
    private static let surfaces: [Pair] = [
        ("page", Colour(0xe9eef4), Colour(0x0d131a)),
        ("bubble", Colour(0xffffff), Colour(0x1c2733)),
        ("bubble-own", Colour(0xd3e9ff), Colour(0x1d4468)),
        ("quote", Colour(0x1a6fd4, alpha: 0.09), Colour(0x6db3ff, alpha: 0.12)),
        ("code", Colour(0x0b2038, alpha: 0.06), Colour(0x000000, alpha: 0.28)),
        ("chip", Colour(0x1a6fd4, alpha: 0.10), Colour(0x8cc4ff, alpha: 0.10)),
        ("button", Colour(0x1a6fd4, alpha: 0.10), Colour(0x8cc4ff, alpha: 0.10)),
        ("input", Colour(0x0b2038, alpha: 0.05), Colour(0xffffff, alpha: 0.06)),
        ("pill", Colour(0xd5dee8), Colour(0x24313f)),
        ("plate", Colour(0xffffff), Colour(0x1c2733)),
        ("unknown", Colour(0x6a3fb5, alpha: 0.10), Colour(0xc4a6ff, alpha: 0.12)),
        ("capsule", Colour(0x000000, alpha: 0.6), Colour(0x000000, alpha: 0.6)),
        ("accent", Colour(0x1a6fd4), Colour(0x2a74c9)),
        ("track", Colour(0x0b2038, alpha: 0.14), Colour(0xffffff, alpha: 0.18)),
        ("line", Colour(0x0b2038, alpha: 0.14), Colour(0xffffff, alpha: 0.16)),
        ("failed", Colour(0xc62f2f), Colour(0xc93c3c)),
        ("spoiler", Colour(0x66788c), Colour(0x7d8fa3)),
        ("missing", Colour(0x0b2038, alpha: 0.12), Colour(0xffffff, alpha: 0.14)),
    ]

    private static let inks: [Pair] = [
        ("ink", Colour(0x101820), Colour(0xf0f4f8)),
        ("faint", Colour(0x505f70), Colour(0xbccad8)),
        ("link", Colour(0x0d56ad), Colour(0xa3d2ff)),
        ("over", Colour(0xffffff), Colour(0xffffff)),
        ("read", Colour(0x0a5aa8), Colour(0x8accff)),
    ]

    /// The colours of senders, above their messages.
    private static let names = pairs(
        "n", light: [0xb0342c, 0x9a4a00, 0x6d5a00, 0x2c6e2f, 0x00707a, 0x1c5fb5, 0x6b46b8, 0xa52d75],
        dark: [0xff9d94, 0xffb373, 0xe8cf63, 0x8fdb8f, 0x6fd8e0, 0x93c9ff, 0xc8b0ff, 0xff9fd0])

    /// The colours behind initials.
    private static let discs = pairs(
        "d", light: [0xb94a41, 0xa9560f, 0x7d6800, 0x3b7d3e, 0x117a84, 0x2c6bbd, 0x7752c4, 0xb03f82],
        dark: [0xa8443c, 0x98500f, 0x706000, 0x35713a, 0x106d76, 0x2a62ab, 0x6c4ab4, 0xa03876])

    /// The first colours of the gradients that stand for absent pictures.
    private static let pictures = pairs(
        "p", light: [0xe8a29c, 0xe9b88a, 0xd9c878, 0x9cc99e, 0x8cc8cd, 0x9bbfe8, 0xbba9e6, 0xe3a3c8],
        dark: [0x8a4f4a, 0x8a6340, 0x7c7038, 0x4c7a4f, 0x3f777c, 0x476a93, 0x695a94, 0x8a4f70])

    private static func pairs(_ name: String, light: [UInt32], dark: [UInt32]) -> [Pair] {
        zip(light, dark).enumerated().map { number, pair in ("\(name)\(number)", Colour(pair.0), Colour(pair.1)) }
    }

    package subscript(name: String) -> Pair? { colours.first { $0.name == name } }
}

/// The scheme of a page's colours.
package enum Scheme: String, CaseIterable, Sendable {
    /// The scheme that the reader's system asks for.
    case system
    case light, dark
}

extension Theme {
    /// The colours as custom properties: of the system's scheme, unless the root says which (`data-scheme`).
    var css: String {
        let light = colours.map { "--\($0.name): \($0.light.css);" }.joined(separator: " ")
        let dark = colours.map { "--\($0.name): \($0.dark.css);" }.joined(separator: " ")
        return """
            :root { color-scheme: light dark; \(light) }
            @media (prefers-color-scheme: dark) { :root:not([data-scheme="light"]) { \(dark) } }
            :root[data-scheme="dark"] { color-scheme: dark; \(dark) }
            :root[data-scheme="light"] { color-scheme: light; }
            .own { --bubble: var(--bubble-own); }
            """
    }
}
