import MessageLayout
import TestSupport
import Testing
import Typography

@testable import Drawing

private func picture(_ words: String = "See you", target: Int = 0, variant: Int = 0) -> (LayoutModel, Picture, Target) {
    let sheet = LayoutSheet.bubble
    let model = sheet.model(target: target, variant: variant, state: 0)
    let texts = model.skeleton.texts.map { _ in RichText(words) }
    return (model, Picture(model, texts, on: sheet.targets[target]), sheet.targets[target])
}

@Test func `a picture is as large as its layout, in points outside and in pixels inside`() {
    for target in LayoutSheet.bubble.targets.indices {
        let (model, picture, screen) = picture(target: target)
        let scale = Double(screen.scale.thousandths) / 1000
        #expect(
            picture.width == Double(model.size.width) / scale && picture.height == Double(model.size.height) / scale)
        #expect(picture.element().contains("viewBox=\"0 0 \(model.size.width) \(model.size.height)\""))
        #expect(picture.element(left: 12.5, top: 7).contains("x=\"12.5\" y=\"7\" width=\"\(picture.width.markup)\""))
    }
}

@Test func `what a message says cannot end an element, or be what XML has no words for`() {
    let (_, picture, _) = picture("</text><a \"b\" & \u{1}c")
    let texts = picture.elements.split(separator: "\n").filter { $0.hasPrefix("<text") }
    #expect(!texts.isEmpty && texts.allSatisfy { $0.hasSuffix("</text>") && $0.split(separator: "<").count == 2 })
    #expect(Markup.escaped("<a> & \"b\"\t\u{0}\u{ffff}c") == "&lt;a&gt; &amp; &quot;b&quot; c")
}

@Test func `a page has its pictures one below the other, each with its caption and its size`() throws {
    let (first, second) = (picture(target: 0).1, picture(target: 12, variant: 2).1)
    let page = Picture.page([("one", first), ("two", second)])
    #expect(page.hasPrefix("<svg xmlns=") && page.hasSuffix("</svg>\n"))
    #expect(page.contains("one · \(first.size)") && page.contains("two · \(second.size)"))
    let height = 12 + 18 + first.height + 12 + 18 + second.height + 12
    #expect(page.contains("height=\"\(height.markup)\""))
}

@Test(arguments: [(12.0, "12"), (0.5, "0.5"), (-1.25, "-1.25"), (3.999, "4"), (0.004, "0"), (10.10, "10.1")])
func `numbers have no more than hundredths, and no zeros at their ends`(number: Double, markup: String) {
    #expect(number.markup == markup)
}

@Test func `a name has the same tint in every picture, and another name another`() {
    #expect(Tint.fill(of: "bubble.own") == Tint.fill(of: "bubble.own"))
    #expect(Set(["bubble.own", "bubble.other", "link", "name.1", "name.2"].map { Tint.text(of: $0) }).count == 5)
}

@Test func `equal outlines are cut under one name, so that pictures can stand on one page`() {
    var markup = Markup()
    let outline = Outline(rect: PixelRect(left: 0, top: 0, width: 40, height: 20), corners: [.topStart], radius: 90)
    let (one, other) = (markup.clip(outline), markup.clip(outline))
    #expect(one == other && outline.path == "M10 0H40V20H0V10a10 10 0 0 1 10 -10z")
}
