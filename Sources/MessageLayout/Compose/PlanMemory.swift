import Bytes
import JSON

/// Plans of messages before. Most messages of a kind have the same parts: what they say is put into the plan of another,
/// and what clients see of them is not written anew.
///
/// Which parts a message has follows from the conditions, lists and blocks of its template, so all answers to these
/// (`PlanAnswers`) are the key. It holds so many plans, and no more.
struct PlanMemory: ~Copyable {
    /// The first one is that of a message whose plan is not kept.
    var plans = Buffer<Plan>()
    private var places: [Key: Int] = [:]
    /// Plans of messages of which only facts are known.
    private var traced: [Key: Plan] = [:]

    private struct Key: Hashable {
        var kind: String
        var answers: [UInt8]
        var expectsCuts: Bool

        /// All answers at once.
        func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            unsafe answers.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    private static let most = 512

    init() { plans.append(Plan()) }

    /// The plan of a message that is not here, but for what is filled in.
    ///
    /// - Parameter shown: has the marks and links of its Markdown. No other message has them, so that such a plan is not kept.
    mutating func plan(
        _ facts: PlanFacts, showing shown: Skeleton?, template: Template, sheet: StyleSheet, expectsCuts: Bool
    ) -> Plan {
        let key = Key(kind: facts.kind, answers: facts.trace, expectsCuts: expectsCuts)
        let quoted = facts.quotesMessage ? shown : nil
        if quoted == nil, let known = traced[key] { return known }
        let plan = Planner.plan(
            tracing: facts, showing: quoted, template: template, sheet: sheet, expectsCuts: expectsCuts)
        if quoted == nil, traced.count < PlanMemory.most { traced[key] = plan }
        return plan
    }

    /// The place of a message's plan. One that is known is filled in where it stands, so that nothing is copied that others say as
    /// well.
    mutating func plan(_ message: JSONValue, template: Template, sheet: StyleSheet, expectsCuts: Bool) -> Int {
        let all = PlanAnswers(of: message, template: template)
        let key = Key(kind: template.kind, answers: all.key, expectsCuts: expectsCuts)
        if all.isReusable, let known = places[key] {
            plans[known].fill(from: all.visits)
            return known
        }
        var plan = Planner.plan(message, template: template, sheet: sheet, expectsCuts: expectsCuts)
        guard all.isReusable, plan.tie(to: all.visits) else {
            plans[0] = plan
            return 0
        }
        // Who sends so many kinds of messages is up to no good, and takes nothing from others for long.
        if plans.count > PlanMemory.most {
            places.removeAll(keepingCapacity: true)
            plans.shrink(to: 1)
        }
        places[key] = plans.count
        plans.append(plan)
        return plans.count - 1
    }
}
