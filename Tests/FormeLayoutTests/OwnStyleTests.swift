import FormeLayout
import Foundation
import JSON
import MessageLayout
import Rows
import Shaping
import TestSupport
import Testing
import Typography

/// A piece of code of the page OwnStyle, and the file that its first line names.
private struct PagePiece {
    let file: String
    var text: String
}

private func page() throws -> String {
    try String(contentsOf: Project.file("Sources/forme/forme.docc/OwnStyle.md"), encoding: .utf8)
}

private func printedPieces() throws -> [PagePiece] {
    try page().matches(of: #/```json5\n// (mine/[\w/.]+)\n([\s\S]*?)```/#).map {
        PagePiece(file: String($0.1), text: String($0.2))
    }
}

/// The messages of the page, which stand on a line each.
private func printedMessages() throws -> [JSONValue] {
    guard let block = try page().firstMatch(of: #/```json\n([\s\S]*?)```/#) else { return [] }
    return try block.1.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
}

/// The rows of the page's table of mistakes. The complaint ends with an ellipsis where the page cuts it.
private func printedMistakes() throws -> [(right: String, wrong: String, said: String)] {
    try page().matches(of: #/\n\| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|/#).map {
        (String($0.1), String($0.2), String($0.3))
    }
}

/// A style with another piece of its file. A member of the piece takes the place of the one that is there; where both
/// are objects, the members of these do.
private func joined(_ style: JSONValue, _ piece: JSONValue) -> JSONValue {
    var style = style
    for member in piece.object?.members ?? [] {
        if let inner = member.value.object, style[member.key]?.object != nil {
            for own in inner.members { style = style.with(member.key, own.key, as: own.value) }
        } else {
            style = style.with(member.key, as: member.value)
        }
    }
    return style
}

/// The style of a designer who has put these pieces into their files.
private func styleSheet(of pieces: [PagePiece]) throws -> StyleSheet {
    var style = JSONValue.object(JSONObject([]))
    var kinds: [String: JSONValue] = [:]
    for piece in pieces where piece.file != "mine/fonts.json5" {
        let value = try JSONValue.parse(Array(piece.text.utf8), dialect: .json5)
        if piece.file == "mine/mine.json5" {
            style = joined(style, value)
        } else {
            kinds[piece.file] = value
        }
    }
    var sheet = try StyleSheet(JSONReader(style))
    _ = try sheet.decoration()
    for (_, kind) in kinds.sorted(by: { $0.key < $1.key }) { try sheet.addKind(JSONReader(kind)) }
    return sheet
}

/// The complaint about the page's style where somebody wrote `wrong` instead of `right`; empty where there is none.
private func complaint(_ right: String, _ wrong: String) throws -> String {
    var pieces = try printedPieces()
    let place = try #require(pieces.lastIndex { $0.text.contains(right) }, "\(right)")
    pieces[place].text = pieces[place].text.replacing(right, with: wrong)
    let path = Project.file("config/fonts.json5").path
    let families = try FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path)
    do {
        try StyleFiles.check(styleSheet(of: pieces), of: "mine/mine.json5", with: families)
        return ""
    } catch {
        return "\(error)"
    }
}

@Test func `each piece of the page for designers makes a style that is read`() throws {
    let pieces = try printedPieces()
    try #require(pieces.count > 12)
    for count in 1...pieces.count { _ = try styleSheet(of: Array(pieces.prefix(count))) }
}

@Test func `the style of the page lays out its messages, with everything where it may stand, on every screen`() throws {
    let style = try styleSheet(of: printedPieces())
    let mirrored = style.targets.map { target in
        var target = target
        target.isMirrored = true
        return target
    }
    var engine = try Kinds.engine(style, targets: style.targets + mirrored)
    let decoration = try #require(try style.decoration())
    var words: Set<String> = []
    for message in try printedMessages() {
        let sheet = try engine.layOut(JSONReader(message))
        words.formUnion(sheet.skeleton.words)
        sheet.forEachModel { place, model in #expect(model.violations == [], "\(place)") }
        for (place, target) in sheet.targets.enumerated() {
            for variant in 0..<Int(sheet.variantCount) {
                let width = sheet.slice(target: place, variant: variant).size.width
                #expect(width <= decoration.contentRoom(of: "message", on: target), "target \(place), \(variant)")
            }
        }
    }
    #expect(words.isSuperset(of: ["name", "reply", "reactions", "time", "status", "photo", "task", "unsupported"]))
}

@Test func `a long text in the style of the page is laid out cut and whole`() throws {
    var engine = try Kinds.engine(styleSheet(of: printedPieces()))
    let words = Array(repeating: "word", count: 500).joined(separator: " ")
    let message = try JSONValue.parse(Array(#"{"kind":"text","text":"\#(words)"}"#.utf8))
    let sheet = try engine.layOut(JSONReader(message))
    try #require(sheet.stateCount == 2)
    for target in sheet.targets.indices {
        let heights = (0..<2).map { sheet.slice(target: target, variant: 0, state: $0).size.height }
        #expect(heights[0] < heights[1])
    }
}

@Test func `the list of fonts on the page has every face that its style asks for`() throws {
    let pieces = try printedPieces()
    let list = try #require(pieces.last { $0.file == "mine/fonts.json5" })
    let families = try FontConfiguration.families(Array(list.text.utf8), from: list.file)
    try StyleFiles.check(styleSheet(of: pieces), of: "mine/mine.json5", with: families)
}

@Test func `mistakes in the style of the page are told as it says`() throws {
    let mistakes = try printedMistakes()
    #expect(mistakes.count > 10)
    for mistake in mistakes {
        let told = try complaint(mistake.right, mistake.wrong)
        let said = mistake.said.hasSuffix("…") ? String(mistake.said.dropLast()) : mistake.said
        #expect(told.contains(said), "\(mistake.wrong): \(told)")
    }
}
