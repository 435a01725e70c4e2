import JSON

/// Plans of messages before. Most messages of a kind have the same parts: what they say is put into the plan of another,
/// and what clients see of them is not written anew.
///
/// Which parts a message has follows from the conditions and lists of its template, so their answers, a bit for each, are
/// the key. Where lists are not empty, and for Markdown, all answers are (`PlanAnswers`). It holds a few plans for each kind, and
/// no more.
struct PlanMemory {
    private var memories: [String: Memory] = [:]
    /// Plans of messages of which only facts are known.
    private var traced: [Trace: Plan] = [:]
    /// Plans of messages with lists or Markdown, by all their answers.
    private var answered: [Trace: Plan] = [:]

    private struct Trace: Hashable {
        var kind: String
        var answers: [UInt8]
        var expectsCuts: Bool
    }

    private static let mostTraced = 512

    /// The plan of a message that is not here, but for what is filled in.
    ///
    /// - Parameter shown: has the marks and links of its Markdown. No other message has them, so that such a plan is not kept.
    mutating func plan(
        _ facts: PlanFacts, showing shown: Skeleton?, template: Template, sheet: StyleSheet, expectsCuts: Bool
    ) -> Plan {
        if facts.quotesMessage, let shown {
            return Planner.plan(
                tracing: facts, showing: shown, template: template, sheet: sheet, expectsCuts: expectsCuts)
        }
        let trace = Trace(kind: facts.kind, answers: facts.trace, expectsCuts: expectsCuts)
        if let known = traced[trace] { return known }
        let plan = Planner.plan(
            tracing: facts, showing: nil, template: template, sheet: sheet, expectsCuts: expectsCuts)
        guard traced.count < PlanMemory.mostTraced else { return plan }
        traced[trace] = plan
        return plan
    }

    mutating func plan(_ message: JSONValue, template: Template, sheet: StyleSheet, expectsCuts: Bool) -> Plan {
        let memory = memory(of: template)
        let answers = memory.answers(message)
        if let answers,
            let known = memory.plans.first(where: { $0.answers == answers && $0.expectsCuts == expectsCuts })
        {
            var plan = known.plan
            plan.fill(from: [PlanAnswers.Visit(way: [], scope: Scope(message))])
            return plan
        }
        let all = memory.hasMore ? PlanAnswers(of: message, template: template) : nil
        let key = all.flatMap {
            $0.isReusable ? Trace(kind: template.kind, answers: $0.key, expectsCuts: expectsCuts) : nil
        }
        if let all, let key, var plan = answered[key] {
            plan.fill(from: all.visits)
            return plan
        }
        var plan = Planner.plan(message, template: template, sheet: sheet, expectsCuts: expectsCuts)
        if plan.isFlat {
            if let answers { memory.keep(plan, answers, expectsCuts) }
        } else if let all, let key, answered.count < PlanMemory.mostTraced, plan.tie(to: all.visits) {
            answered[key] = plan
        }
        return plan
    }

    private mutating func memory(of template: Template) -> Memory {
        if let known = memories[template.kind] { return known }
        let memory = Memory(of: template)
        memories[template.kind] = memory
        return memory
    }
}
