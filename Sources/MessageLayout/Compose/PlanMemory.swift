import JSON

/// Plans of messages before. Most messages of a kind have the same parts: what they say is put into the plan of another,
/// and what clients see of them is not written anew.
///
/// Which parts a message has follows from the conditions and lists of its template, so their answers, a bit for each, are
/// the key. It holds a few plans for each kind, and no more.
struct PlanMemory {
    private var memories: [String: Memory] = [:]

    private struct Memory {
        /// Of all parts of the template, each once.
        let conditions: [Condition]
        let lists: [FieldPath]
        var plans: [(answers: UInt64, expectsCuts: Bool, plan: Plan)] = []

        /// Nil when there are more questions than bits.
        func answers(_ scope: borrowing Scope) -> UInt64? {
            guard conditions.count + lists.count <= 64 else { return nil }
            var answers: UInt64 = 0
            for condition in conditions { answers = answers << 1 | (scope.holds(condition) ? 1 : 0) }
            for list in lists { answers = answers << 1 | (scope.value(list)?.array?.isEmpty == false ? 1 : 0) }
            return answers
        }
    }

    private static let mostPlans = 32
    /// How many plans are columns of their own.
    private var columns: Int32 = 0

    mutating func plan(_ message: JSONValue, template: Template, sheet: StyleSheet, expectsCuts: Bool) -> Plan {
        let scope = Scope(message)
        let memory = memories[template.kind] ?? PlanMemory.memory(of: template)
        let answers = memory.answers(scope)
        if let answers,
            let known = memory.plans.first(where: { $0.answers == answers && $0.expectsCuts == expectsCuts })
        {
            var plan = known.plan
            plan.fill(from: scope)
            return plan
        }
        var plan = Planner.plan(message, template: template, sheet: sheet, expectsCuts: expectsCuts)
        memories[template.kind] = memory
        if let answers, plan.isReusable, memory.plans.count < PlanMemory.mostPlans {
            if plan.isColumn, plan.keepsDistances {
                plan.column = columns
                columns += 1
            }
            memories[template.kind]?.plans.append((answers, expectsCuts, plan))
        }
        return plan
    }

    private static func memory(of template: Template) -> Memory {
        var (conditions, lists): ([Condition], [FieldPath]) = ([], [])
        for part in template.parts {
            for condition in part.conditions where !conditions.contains(condition) { conditions.append(condition) }
            if let each = part.each, !lists.contains(each) { lists.append(each) }
        }
        return Memory(conditions: conditions, lists: lists)
    }
}
