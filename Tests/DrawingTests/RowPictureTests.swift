import FormeLayout
import JSON
import Rows
import TestSupport
import Testing
import Typography
import Wire

@testable import Drawing
@testable import MessageLayout

@Test(arguments: Drawn.styles)
func `every kind is drawn with its words, in every variant and state`(style: String) throws {
    var studio = try Drawn.Studio(style)
    #expect(Drawn.kinds.count > 20)
    for kind in Drawn.kinds {
        for message in try Drawn.messages(kind) {
            for picture in try studio.pictures(of: message) {
                #expect(!picture.markup.text.contains("class=\"missing\""), "\(kind)")
                #expect(picture.elements.isSubset(of: elements) && picture.isBalanced, "\(kind)")
            }
        }
    }
}

/// Everything that a picture may be made of: nothing of it runs, leads anywhere or asks for anything.
private let elements: Set = ["svg", "g", "path", "rect", "circle", "text", "tspan", "title", "clipPath", "image"]

@Test(arguments: Drawn.styles)
func `hostile words, names, paths and descriptions are drawn as text, and as nothing else`(style: String) throws {
    var studio = try Drawn.Studio(style)
    var random = SplitMix64(seed: 3)
    for kind in Drawn.kinds {
        for message in try Drawn.messages(kind) {
            let hostile = message.hostile { Hostile.words.randomElement(using: &random)! }
            for picture in try studio.pictures(of: hostile).prefix(3) {
                let element = picture.element()
                #expect(picture.elements.isSubset(of: elements) && picture.isBalanced, "\(kind)")
                let named = Set(element.matches(of: /\s([a-zA-Z:-]+)="/).map { String($0.output.1) })
                #expect(named.isSubset(of: attributes), "\(kind): \(named.subtracting(attributes))")
                let links = element.matches(of: /href="([^"]*)"/).map { String($0.output.1) }
                #expect(links.allSatisfy { $0.hasPrefix("data:image/bmp;base64,") })
            }
        }
    }
}

private let attributes: Set = [
    "class", "x", "y", "width", "height", "viewBox", "xml:space", "transform", "d", "rx", "cx", "cy", "r", "fill",
    "fill-rule",
    "stroke-width", "font-size", "font-weight", "font-style", "direction", "text-anchor", "id", "clip-path", "role",
    "aria-label",
    "href", "preserveAspectRatio",
]

@Test
func `the words of a line are in stretches of one look, with its hyphen, its ellipsis and the letters that it joins`() {
    var text = Skeleton.Text()
    text.spans = [.init(range: 4..<8, look: .bold)]
    text.entities = [.init(range: 6..<10, kind: .url), .init(range: 0..<2, kind: .spoiler)]
    let frame = PixelRect(left: 0, top: 0, width: 10, height: 10)
    func stretches(_ range: Range<Int32>, _ traits: LineTraits = []) -> [LineText.Stretch] {
        let line = LayoutModel.ShownLine(range: range, frame: frame, baseline: 8, traits: traits)
        return LineText(line, of: Array("Read this page \n".utf16), in: text).stretches
    }
    #expect(stretches(0..<16).map(\.text) == ["Read", " t", "hi", "s ", "page "])
    #expect(stretches(0..<16).map(\.look) == [[], .bold, .bold, [], []])
    #expect(stretches(0..<16).map(\.isLink) == [false, false, true, true, false])
    #expect(stretches(10..<15, .ellipsis).map(\.text) == ["page", "…"])
    #expect(stretches(10..<12, [.hyphen, .beginsJoined]).map(\.text) == ["\u{200d}pa", "\u{2010}"])
    #expect(stretches(90..<99).isEmpty)
    // Marks of direction stand outside of what joins, and in front of spaces that hang.
    #expect(stretches(10..<15, [.endsTurned, .beginsTurned]).map(\.text) == ["\u{200f}page\u{200f} "])
    #expect(
        stretches(10..<15, [.rightToLeft, .endsTurned, .beginsArabic, .ellipsis]).map(\.text) == [
            "\u{61c}page\u{200e}", "…",
        ])
    #expect(
        stretches(11..<13, [.endsTurned, .endsJoined, .beginsJoined, .beginsTurned]).map(\.text) == [
            "\u{200f}\u{200d}ag\u{200d}\u{200f}"
        ])
}

@Test func `words are found by their paths, and nothing is found where nothing is`() throws {
    let json = #"{"sender":"ada","time":5,"body":{"name":"Ada","options":[{"text":"a"},{"text":"b"}],"sender":"x"}}"#
    let said = Said(said: try JSONValue.parse(Array(json.utf8)))
    #expect(said.string(at: "options[1].text") == "b" && said.string(at: "name") == "Ada")
    for path in [
        "options[2].text", "options[-1]", "options[x].text", "none.at.all", "[", "options[99999999999999999999]",
    ] {
        #expect(said.value(at: path) == nil, "\(path)")
    }
    #expect(said.sender == "ada" && said.milliseconds == 5)
}

@Test func `a row whose words are not known shows where they would be`() throws {
    var studio = try Drawn.Studio("bubble")
    let message = try JSONValue.parse(Array(#"{"kind":"text","text":"See you at nine"}"#.utf8))
    let sheet = try studio.engine.layOut(JSONReader(message))
    let picture = try RowPicture(sheet, of: "text", in: studio.style, .nothing, target: 0, variant: 0, state: 0)
    #expect(picture.markup.text.contains("class=\"missing\"") && !picture.markup.text.contains("nine"))
}

@Test func `a bubble has the corners of its row, and its tail at the side where it stands`() throws {
    var studio = try Drawn.Studio("bubble")
    let message = try JSONValue.parse(Array(#"{"kind":"text","text":"See you at nine"}"#.utf8))
    let sheet = try studio.engine.layOut(JSONReader(message))
    for (target, variant, tail) in [(0, 0, Outline.Tail.right), (0, 1, .left), (1, 0, .left), (1, 1, .right)] {
        let picture = try RowPicture(
            sheet, of: "text", in: studio.style, .nothing, target: target, variant: variant, state: 0)
        #expect(picture.outline(of: 0).tail == tail && picture.decoration.bubble.hasTail)
        var other = picture.decoration
        (other.bubble.hasTail, other.bubble.smallCorners) = (false, [.topEnd])
        let joined = RowPicture(other, picture.model, .nothing, on: picture.target).outline(of: 0)
        let (large, small) = (other.bubble.largeRadius, other.bubble.smallRadius)
        #expect(joined.tail == nil)
        #expect(
            joined.radii == (picture.target.isMirrored ? [small, large, large, large] : [large, small, large, large]))
    }
}

@Test func `what is in a row is drawn where the row says that it stands`() throws {
    var studio = try Drawn.Studio("bubble")
    let message = try JSONValue.parse(Array(#"{"kind":"text","text":"See you at nine","name":"Ada"}"#.utf8))
    let sheet = try studio.engine.layOut(JSONReader(message))
    for (target, variant) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 1)] {
        let picture = try RowPicture(
            sheet, of: "text", in: studio.style, Said(body: message, milliseconds: Said.sampleTime), target: target,
            variant: variant, state: 0)
        let content = picture.decoration.content
        try #require(content.left > 0)
        // Everything in it counts from its corner.
        let groups = picture.markup.text.matches(of: /<g transform="translate\(([-0-9.]+) ([-0-9.]+)\)">/)
        #expect(groups.map { [String($0.output.1), String($0.output.2)] } == [["\(content.left)", "\(content.top)"]])
    }
}

@Test func `the time stands in its slot as the reader's clock has it`() throws {
    var studio = try Drawn.Studio("bubble")
    let message = try JSONValue.parse(Array(#"{"kind":"text","text":"Hi"}"#.utf8))
    let sheet = try studio.engine.layOut(JSONReader(message))
    let alone = try RowPicture(sheet, of: "text", in: studio.style, .nothing, target: 0, variant: 0, state: 0)
    for (clock, words) in [(ClockFormat.hours24, "20:15"), (.hours12, "08:15 PM")] {
        let said = Said(body: message, milliseconds: Said.sampleTime)
        let picture = RowPicture(
            alone.decoration, alone.model, said, on: alone.target, for: Viewer(clock: clock))
        #expect(picture.markup.text.contains(">\(words)</text>"))
    }
}

@Test(arguments: [
    ("Ada Lovelace", "AL"), ("bo", "B"), ("anna-maria", "AM"), ("  ", ""), ("😀 x", "X"), ("דנה לוי", "דל"),
])
func `a disc has the first letters of the first and the last word`(name: String, letters: String) {
    #expect(Initials.of(name) == letters)
}

@Test func `a day is written out`() {
    #expect(DayText.words(LocalDay(number: 19675)) == "Tuesday, 14 November 2023")
}

extension RowPicture {
    fileprivate var elements: Set<String> {
        Set(element().matches(of: /<\/?([a-zA-Z!?]*)/).map { String($0.output.1) })
    }

    /// Whether every element ends, in its order.
    fileprivate var isBalanced: Bool {
        var open: [Substring] = []
        for tag in element().matches(of: /<(\/?)([a-zA-Z]+)[^>]*?(\/?)>/) {
            if !tag.output.1.isEmpty {
                guard open.popLast() == tag.output.2 else { return false }
            } else if tag.output.3.isEmpty {
                open.append(tag.output.2)
            }
        }
        return open.isEmpty
    }
}
