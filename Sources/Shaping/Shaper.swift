// Stand-in until the text engine lands; dropped at merge.
package import Typography

package final class FontList: Sendable { package init() {} }
package struct Shaper: ~Copyable {
    package init(fonts: FontList) {}
    package mutating func measure(_ text: String) -> MeasuredText { MeasuredText(length: Int32(text.utf16.count)) }
}
