import Bytes
import JSON

/// Plans of earlier messages. Most messages of a kind have the same parts: their contents are filled into the plan of
/// another, and the skeleton is not made anew.
///
/// The parts of a message follow from the conditions, lists and blocks of its template, so all answers to these
/// (`PlanAnswers`) are the key. The number of plans is limited.
struct PlanMemory: ~Copyable {
    /// The plans; the first one is of a message whose plan is not kept.
    var plans = Buffer<Plan>()
    private var places: [Key: Int] = [:]
    /// Plans of messages that are known only by their facts.
    private var traced: [Key: Plan] = [:]

    private struct Key: Hashable {
        var kind: String
        var answers: [UInt8]
        var expectsCuts: Bool

        /// Hashes all answers at once.
        func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            unsafe answers.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    private static let most = 512

    init() { plans.append(Plan()) }

    /// Returns the plan of a message that is not here, without its fills.
    ///
    /// - Parameter shown: a skeleton with the marks and links of its Markdown. No other message has them, so that
    ///   such a plan is not kept.
    mutating func plan(
        _ facts: PlanFacts, showing shown: Skeleton?, template: Template, sheet: StyleSheet, expectsCuts: Bool
    ) -> Plan {
        let key = Key(kind: facts.kind, answers: facts.trace, expectsCuts: expectsCuts)
        let quoted = facts.quotesMessage ? shown : nil
        if quoted == nil, let known = traced[key] { return known }
        let plan = Planner.plan(
            tracing: facts, showing: quoted, template: template, sheet: sheet, expectsCuts: expectsCuts)
        if quoted == nil {
            // So many are mostly of messages that differ in a percentage. The plans that are needed soon come back.
            if traced.count >= PlanMemory.most { traced.removeAll(keepingCapacity: true) }
            traced[key] = plan
        }
        return plan
    }

    /// Returns the place of a message's plan. A known plan is filled in where it is, so that nothing is copied that
    /// messages share. All plans of a memory are made with the same `mostNodes`.
    mutating func plan(
        _ message: JSONValue, template: Template, sheet: StyleSheet, expectsCuts: Bool, mostNodes: Int = .max
    ) -> Int {
        let all = PlanAnswers(of: message, to: template.questions)
        let key = Key(kind: template.kind, answers: all.key, expectsCuts: expectsCuts)
        if all.isReusable, let known = places[key] {
            plans[known].fill(from: all.visits)
            return known
        }
        var plan = Planner.plan(
            message, template: template, sheet: sheet, expectsCuts: expectsCuts, mostNodes: mostNodes)
        guard all.isReusable, plan.tie(to: all.visits) else {
            plans[0] = plan
            return 0
        }
        // Messages with so many different plans are abuse. All plans are dropped, and those of other messages soon
        // come back.
        if plans.count > PlanMemory.most {
            places.removeAll(keepingCapacity: true)
            plans.shrink(to: 1)
        }
        places[key] = plans.count
        plans.append(plan)
        return plans.count - 1
    }
}
