import Bytes
package import JSON

extension Composer {
    /// Explains one layout by solving it many times: slow, so that solving for clients need not know of it.
    package mutating func explain(
        _ message: JSONReader, target: Int, variant: Int, isExpanded: Bool, measure: Measure
    ) throws(JSONError) -> Explanation {
        let message = try CheckedMessage(message, of: style)
        var (place, template) = plan(message, expectsCuts: false, measure: measure)
        let own = metrics[target]
        var writer = SheetWriter(metrics: [own], shelf: shelf, variants: style.variants.count)
        var sheet = LayoutSheet()
        if writer.write(memory.plans[place], into: &sheet) == .cut {
            (place, template) = plan(message, measure: measure)
            _ = writer.write(memory.plans[place], into: &sheet)
        }
        let plan = memory.plans[place]
        var inquiry = Inquiry(plan, texts: shelf, metrics: own, variant: variant, isExpanded: isExpanded)
        let parts = inquiry.parts()
        return Explanation(
            target: own.target, size: inquiry.size, stamp: inquiry.stamp, reach: inquiry.reach, parts: parts,
            inputs: Explanation.Inputs(message.value, plan, template, own, style))
    }
}
