package import MessageLayout
package import Shaping

extension StyleTexts {
    /// The texts that a style brings, measured with fonts that are needed no more afterwards.
    package init(_ style: StyleSheet, fonts: FontList) throws(FontError) {
        var shaper = try Shaper(fonts: fonts)
        self.init(style) { text, style, result in shaper.measure(text, style: style, into: &result) }
    }
}
