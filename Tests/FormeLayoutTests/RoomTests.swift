import FormeLayout
import Foundation
import TestSupport
import Testing
import Typography

@testable import MessageLayout
@testable import Rows

@Test(arguments: Kinds.styles)
func `a style says how its rows are dressed, and every kind stands in one of them`(name: String) throws {
    let style = try Kinds.style(name)
    let decoration = try #require(try style.decoration())
    for kind in Kinds.names {
        let template = try #require(style.template(for: kind))
        #expect(decoration.templates.map(\.name).contains(template.rowTemplate), "\(kind)")
        #expect(decoration.template(named: template.rowTemplate).isSelectable == template.joinsSeries, "\(kind)")
    }
    let kinds = decoration.kinds
    for kind in [kinds.dateLine, kinds.unreadLine, kinds.typing, kinds.deleted] {
        #expect(style.template(for: kind) != nil, "\(kind)")
    }
}

@Test(arguments: Kinds.styles)
func `content leaves room for all that may ever stand beside it, in every row`(name: String) throws {
    let style = try Kinds.style(name)
    let decoration = try #require(try style.decoration())
    let rows = Set(style.templates.values.map(\.rowTemplate))
    let others = [1000, 1500, 2000, 2625, 2750, 3000].flatMap { scale in
        (280...1400).map { Target(width: .points($0), scale: Scale(thousandths: scale)) }
    }
    for target in style.targets + others {
        let room = Screen(target, of: style).room.room(inRow: target.rowPixels)
        for row in rows {
            let most = decoration.contentRoom(of: row, on: target)
            #expect(room <= most, "\(row) in \(target.width.raw / 64) points at \(target.scale.thousandths)")
            guard room <= most else { return }
        }
    }
}

@Test(arguments: [
    (
        "room: { percent: 100, less: 89,", "room: { percent: 100, less: 60,",
        "on 414@2 the content of rows 'message' may take 708 pixels, and what may stand beside it leaves 652; "
            + "set room.less to 88 or more, or make"
    ),
    (
        "room: { percent: 70, less: 66, most: 520 }", "room: { percent: 100, less: 66, most: 1200 }",
        "on 1024@2 the content of rows 'message' may take 1916 pixels, and what may stand beside it leaves 1872; "
            + "set classes.tablet.room.less to 88 or more, or make"
    ),
])
func `a style whose content may be wider than its rows leave is refused, with what to do`(
    own: String, wide: String, words: String
) throws {
    let path = Project.file("config/styles/bubble.json5").path
    var changed = try StyleDocuments(reading: path)
    changed.style.text = changed.style.text.replacing(own, with: wide)
    let documents = changed
    let complaint = #expect(throws: StyleFiles.Problem.self) { try CompiledEdition(documents, fonts: []) }
    let text = try #require(complaint?.description)
    #expect(text.hasPrefix("\(path): \(words)"))
}

@Test(arguments: Kinds.styles)
func `the row of a screen is one of its class, also where the class begins within a pixel`(name: String) throws {
    let style = try Kinds.style(name)
    let borders = style.classes.flatMap { [$0.rows.lowerBound, $0.rows.upperBound] }.filter { 1..<16_384 ~= $0 }
    for scale in [501, 1330, 2625, 2750, 2812] as [Int32] {
        let widths = borders.flatMap { 64 * $0 - 64...64 * $0 + 64 }
        for target in widths.map({ Target(width: Fixed(raw: $0), scale: Scale(thousandths: scale)) }) {
            let isOne = Screen(target, of: style).classRows.contains(target.rowPixels)
            #expect(isOne, "\(target.width.raw) / 64 points at \(scale)")
        }
    }
}

@Test(arguments: Kinds.styles)
func `lines between rows are as high as what stands in them`(name: String) throws {
    let style = try Kinds.style(name)
    let decoration = try #require(try style.decoration())
    let targets = style.textScales.map { Target(width: .points(375), scale: .two, textScale: $0) }
    var layout = MonospacedLayout(style, targets: targets)
    for (kind, line) in [
        (decoration.kinds.dateLine, decoration.dateLine), (decoration.kinds.unreadLine, decoration.unreadLine),
    ] {
        let measure = try #require(line)
        let sheet = try layout.layOut(Kinds.messages(kind)[0])
        for (place, target) in targets.enumerated() {
            #expect(
                sheet.model(target: place, variant: 0).size.height <= target.textPixels(measure.height),
                "\(kind) at \(target.textScale.percent) percent")
        }
    }
}
