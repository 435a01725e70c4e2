import JSON
import MessageLayout
import Rows
import TestSupport
import Testing
import Typography

@Test func `a style says how series, templates and lines are dressed`() {
    let style = DecorationStyle.bubbles
    #expect(style.series.longestPause == .seconds(120))
    #expect(style.templates.map(\.name) == ["avatar and name", "bare", "avatar centred over the content"])
    #expect(style.template(named: "bare").startInset == .points(16))
    #expect(style.template(named: "avatar and name").avatar?.size == .points(32))
    #expect(style.kinds.typing == "typing")
    #expect(DecorationStyle.flat.template(named: "avatar and name").own == .start)
}

@Test(arguments: [
    ("gap: 2 ", "gap: 2, gpa: 1", "templates.plain.avatar.gpa: unknown"),
    ("size: 30", "size: -1", "templates.plain.avatar.size: expected 0...4096 points in steps of 1/64, found -1"),
    ("size: 30", "size: 4097", "templates.plain.avatar.size: expected 0...4096 points"),
    ("size: 30", "size: 0.1", "templates.plain.avatar.size: expected 0...4096 points in steps of 1/64, found 0.1"),
    ("size: 30", "size: '30'", "templates.plain.avatar.size: expected 0...4096 points"),
    ("at: 'start'", "at: 'left'", "templates.plain.avatar.at: expected 'start' or 'end' or 'centred', found 'left'"),
    ("gap: 60", "gap: -1", "series.gap: expected 0...604800"),
    ("['dateLine']", "['noon']", "series.brokenBy[0]: expected 'template' or 'dateLine' or 'unreadLine'"),
    ("own: 'end'", "own: 'right'", "templates.plain.align.own: expected 'start' or 'center' or 'end'"),
    ("typing: 't'", "typing: ''", "kinds.typing: expected a name of 1...64 bytes"),
    ("first: 4, ", "", "gaps: 'first' is missing"),
    ("tail: 'never'", "tail: 'always'", "corners.tail: expected 'never' or 'first' or 'last'"),
])
func `a slip of the pen is told with its place`(right: String, wrong: String, complaint: String) throws {
    let text = small()
    #expect(text.contains(right))
    let slipped = text.split(separator: right, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: wrong)
    let error = #expect(throws: JSONError.self) { try DecorationStyle.read(slipped) }
    #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
}

@Test func `a style needs a row template`() {
    let error = #expect(throws: JSONError.self) { try DecorationStyle.read(small(templates: "{}")) }
    #expect(error?.description.contains("templates: expected at least one row template") == true)
}

@Test func `lengths are exact to a sixty-fourth of a point`() throws {
    let style = try DecorationStyle.read(small(size: "30.015625"))
    #expect(style.templates[0].avatar?.size == Fixed(raw: 30 * 64 + 1))
}

@Test(
    arguments: [("avatar and name", 232, 186), ("bare", 262, 218), ("avatar centred over the content", 228, 234)]
        as [(String, Int32, Int32)])
func `content has the room that nothing beside it will ever need`(template: String, bubbles: Int32, flat: Int32) {
    let phone = Target(width: .points(320), scale: .one)
    #expect(DecorationStyle.bubbles.contentRoom(of: template, on: phone) == bubbles)
    #expect(DecorationStyle.flat.contentRoom(of: template, on: phone) == flat)
}

private func small(size: String = "30", templates: String? = nil) -> String {
    let plain = """
        { plain: { align: { own: 'end', other: 'start' }, insets: { start: 1, end: 1 },
                   avatar: { size: \(size), at: 'start', gap: 2 } } }
        """
    return """
        { series: { gap: 60, brokenBy: ['dateLine'] },
          templates: \(templates ?? plain),
          gaps: { withinSeries: 1, betweenSeries: 2, betweenSides: 3, first: 4, last: 5 },
          corners: { large: 8, small: 2, joined: 'none', tail: 'never' },
          kinds: { dateLine: 'd', unreadLine: 'u', typing: 't', deleted: 'x' } }
        """
}
