package import JSON
package import Typography

extension Composer {
    /// What is written in each text of a message's skeleton: what clients put together from the message, for those who
    /// draw without being a client.
    package mutating func shownTexts(
        of message: JSONReader, in skeleton: Skeleton, measure: Measure
    ) throws(JSONError) -> [RichText] {
        let message = try CheckedMessage(message, of: style)
        var (plan, _) = plan(message, expectsCuts: false, measure: measure)
        if plan.skeleton != skeleton { (plan, _) = self.plan(message, measure: measure) }
        var texts = Array(repeating: RichText(""), count: plan.skeleton.texts.count)
        for shape in plan.shapes where shape.operation == .text {
            let place = Int(plan.skeleton.nodes[Int(shape.node)].text)
            let own = Int(shape.value) - style.tables.literals.count
            if own < 0 {
                let role = style.tables.roleList[Int(shape.number)]
                texts[place] = RichText(style.tables.literals[Int(shape.value)].text, style: role.style)
            } else {
                texts[place] = plan.texts[own].rich
            }
        }
        return texts
    }
}

extension PlannedText {
    fileprivate var rich: RichText {
        switch content {
        case .plain(let text): RichText(text, style: style)
        case .rich(let text): text
        }
    }
}
