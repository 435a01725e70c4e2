/// A colour for a token: pictures know no theme, so each name has a hue of its own, the same in every picture.
enum Tint {
    static func fill(of token: String) -> String { "hsl(\(hue(of: token)) 55% 90%)" }

    static func text(of token: String) -> String { "hsl(\(hue(of: token)) 70% 30%)" }

    /// Degrees; names that differ in one letter are far apart.
    private static func hue(of token: String) -> UInt32 {
        token.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 } % 360
    }
}
