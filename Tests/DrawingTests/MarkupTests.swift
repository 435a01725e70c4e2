import MessageLayout
import Testing

@testable import Drawing

@Test func `words cannot end an element or an attribute, or be what XML has no words for`() {
    #expect(Markup.escaped("<a> & \"b\" 'd'\t\u{0}\u{ffff}c") == "&lt;a&gt; &amp; &quot;b&quot; &#39;d&#39; c")
}

@Test(arguments: [(12.0, "12"), (0.5, "0.5"), (-1.25, "-1.25"), (3.999, "4"), (0.004, "0"), (10.10, "10.1")])
func `numbers have no more than hundredths, and no zeros at their ends`(number: Double, markup: String) {
    #expect(number.markup == markup)
}

@Test func `equal paths are cut under one name, so that pictures can stand on one page`() {
    var markup = Markup()
    let rect = PixelRect(left: 0, top: 0, width: 40, height: 20)
    let outline = Outline(rect, [.topStart], radius: 90, isMirrored: false)
    let (one, other) = (markup.clip(outline.path), markup.clip(outline.path))
    #expect(one == other && outline.path == "M10 0H40V20H0V10a10 10 0 0 1 10 -10z")
}

@Test func `corners change sides in a mirrored row`() {
    let rect = PixelRect(left: 0, top: 0, width: 40, height: 20)
    #expect(Outline(rect, [.topStart, .bottomEnd], radius: 5, isMirrored: false).radii == [5, 0, 0, 5])
    #expect(Outline(rect, [.topStart, .bottomEnd], radius: 5, isMirrored: true).radii == [0, 5, 5, 0])
}

@Test func `an outline of any numbers is drawn`() {
    let numbers: [Int32] = [.min, -1, 0, 7, .max]
    for (one, other) in numbers.flatMap({ one in numbers.map { (one, $0) } }) {
        let rect = PixelRect(left: one, top: other, width: .max, height: other)
        for tail in [nil, .left, .right] as [Outline.Tail?] {
            #expect(Outline(rect, radii: [one, other, other, one], tail: tail).path.hasSuffix("z"))
        }
    }
}
