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
