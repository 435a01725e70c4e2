package import JSON
package import MessageLayout
import Rows
import Typography
package import Wire

extension RowPicture {
    /// A message that stands in no conversation, as it would stand in one: beside its own neighbours, in the middle
    /// of a day.
    /// - Parameters:
    ///   - target: the index of one of the sheet's targets.
    ///   - variant: the index of one of the style's variants.
    package init(
        _ sheet: LayoutSheet, of kind: String, in style: StyleSheet, _ said: Said, target: Int, variant: Int,
        state: Int, showsWorkings: Bool = false
    ) throws(JSONError) {
        let screen = sheet.targets[target]
        let decoration = try Decoration(
            alone: sheet, of: kind, in: style, said, target: target, variant: variant, state: state)
        self.init(
            decoration, sheet.model(target: target, variant: variant, state: state), said, on: screen,
            showsWorkings: showsWorkings)
    }
}

extension Decoration {
    /// The decoration that a decorator makes for a row that begins a series. Where such a row is shown in another
    /// variant, the row goes on with a series instead. Nothing follows it.
    fileprivate init(
        alone sheet: LayoutSheet, of kind: String, in style: StyleSheet, _ said: Said, target: Int, variant: Int,
        state: Int
    ) throws(JSONError) {
        let screen = sheet.targets[target]
        let size = sheet.slice(target: target, variant: variant, state: state).size
        guard let rules = try style.decoration() else {
            let radius = sheet.model(target: target, variant: variant, state: state).placements.first?.radius ?? 0
            self.init(bare: size, radius: radius)
            return
        }
        let template = style.template(for: kind)
        func facts(_ sender: UInt64, _ order: Int64) -> RowFacts {
            RowFacts(
                sender: SenderNumber(sender), order: order, milliseconds: Said.sampleTime + order,
                template: template?.rowTemplate ?? "message", joinsSeries: template?.joinsSeries ?? true,
                hasFailed: order == 1
                    && rules.hasFailed(Array("\"\(said.status)\"".utf8), in: template?.rowTemplate ?? ""),
                sizes: ContentSizes(all: size))
        }
        let decorator = Decorator(style: rules, viewer: Viewer(own: SenderNumber(0)), target: screen)
        let sender: UInt64 = variant == 0 ? 0 : 1
        let tries = [2, sender].map { before in
            decorator.decoration(of: facts(sender, 1), before: facts(before, 0), after: nil)
        }
        self = tries.first { $0.variant.place(among: sheet.variantCountOrOne) == variant } ?? tries[0]
    }

    /// The decoration in a style that does not decorate its rows.
    private init(bare size: PixelSize, radius: Int32) {
        self.init(
            variant: .other, series: SeriesPosition(joinsAbove: false, joinsBelow: false), height: size.height,
            gapAbove: 0, gapBelow: 0,
            content: PixelRect(left: 0, top: 0, width: size.width, height: size.height),
            bubble: Bubble(largeRadius: radius, smallRadius: radius, smallCorners: [], hasTail: false))
    }
}

extension LayoutSheet {
    fileprivate var variantCountOrOne: Int { max(1, Int(variantCount)) }
}

extension Said {
    /// The time of messages that do not say when they were sent: a quarter past eight in the evening, some day.
    package static let sampleTime: Int64 = 1_700_079_300_000
}
