package import JSON

extension Composer {
    /// Solves one layout again, and many times more: slow, so that solving for clients need not know of it.
    package mutating func explain(
        _ message: JSONReader, target: Int, variant: Int, isExpanded: Bool, measure: Measure
    ) throws(JSONError) -> Explanation {
        let (plan, template) = try plan(message, measure: measure)
        let own = metrics[target]
        var inquiry = Inquiry(plan, texts: shelf, metrics: own, variant: variant, isExpanded: isExpanded)
        let parts = inquiry.parts()
        return Explanation(
            target: own.target, size: inquiry.size, stamp: inquiry.stamp, reach: inquiry.reach, parts: parts,
            inputs: Explanation.Inputs(message.value, plan, template, own, style))
    }
}
