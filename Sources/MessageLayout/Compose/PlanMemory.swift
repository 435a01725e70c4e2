import JSON

/// Plans of messages before. Most messages of a kind have the same parts: what they say is put into the plan of another,
/// and what clients see of them is not written anew.
///
/// Which parts a message has follows from the conditions and lists of its template, so their answers, a bit for each, are
/// the key. Where lists are not empty, and for Markdown, all answers are (`PlanAnswers`). It holds a few plans for each kind, and
/// no more.
struct PlanMemory {
    private var memories: [String: Memory] = [:]

    private struct Memory {
        /// Of all parts of the template, each once.
        let conditions: [Condition]
        let lists: [FieldPath]
        let hasMore: Bool
        var plans: [(answers: UInt64, expectsCuts: Bool, plan: Plan)] = []
        /// The keys of the last message, and for each condition, then each list, where the first name of its path is among
        /// them; -1 if it is not. Messages of a producer have their keys in one order.
        private var keys: [String] = []
        private var places: [Int] = []

        init(conditions: [Condition], lists: [FieldPath], hasMore: Bool) {
            (self.conditions, self.lists, self.hasMore) = (conditions, lists, hasMore)
        }

        /// Nil when there are more questions than bits.
        mutating func answers(_ message: JSONValue) -> UInt64? {
            guard conditions.count + lists.count <= 64, let object = message.object else { return nil }
            if !haveKeys(object.members) { look(for: object.members) }
            var answers: UInt64 = 0
            for (number, condition) in conditions.enumerated() {
                answers = answers << 1 | (condition.holds(value(condition.path, places[number], object)) ? 1 : 0)
            }
            for (number, list) in lists.enumerated() {
                let found = value(list, places[conditions.count + number], object)
                answers = answers << 1 | (found?.array?.isEmpty == false ? 1 : 0)
            }
            return answers
        }

        private func haveKeys(_ members: [JSONObject.Member]) -> Bool {
            guard members.count == keys.count else { return false }
            for i in members.indices where members[i].key != keys[i] { return false }
            return true
        }

        private mutating func look(for members: [JSONObject.Member]) {
            keys = members.map(\.key)
            places = (conditions.map(\.path) + lists).map { path in
                members.firstIndex { $0.key == path.names[0] } ?? -1
            }
        }

        private func value(_ path: FieldPath, _ place: Int, _ object: JSONObject) -> JSONValue? {
            guard place >= 0 else { return nil }
            let value = object.members[place].value
            return path.names.count == 1 ? value : path.names.dropFirst().reduce(value) { $0?[$1] }
        }
    }

    private static let mostPlans = 32
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
        let answers = memories[template.kind, default: PlanMemory.memory(of: template)].answers(message)
        let plans = memories[template.kind]?.plans ?? []
        if let answers, let known = plans.first(where: { $0.answers == answers && $0.expectsCuts == expectsCuts }) {
            var plan = known.plan
            plan.fill(from: [PlanAnswers.Visit(way: [], scope: Scope(message))])
            return plan
        }
        guard memories[template.kind]!.hasMore else {
            return planned(message, answers, template, sheet, expectsCuts)
        }
        let all = PlanAnswers(of: message, template: template)
        let key = Trace(kind: template.kind, answers: all.key, expectsCuts: expectsCuts)
        if all.isReusable, var plan = answered[key] {
            plan.fill(from: all.visits)
            return plan
        }
        var plan = planned(message, answers, template, sheet, expectsCuts)
        guard all.isReusable, !plan.isFlat, answered.count < PlanMemory.mostTraced, plan.tie(to: all.visits) else {
            return plan
        }
        answered[key] = plan
        return plan
    }

    /// A new one. It is kept where the answers say all about its parts.
    private mutating func planned(
        _ message: JSONValue, _ answers: UInt64?, _ template: Template, _ sheet: StyleSheet, _ expectsCuts: Bool
    ) -> Plan {
        let plan = Planner.plan(message, template: template, sheet: sheet, expectsCuts: expectsCuts)
        if let answers, plan.isFlat, memories[template.kind]!.plans.count < PlanMemory.mostPlans {
            memories[template.kind]!.plans.append((answers, expectsCuts, plan))
        }
        return plan
    }

    private static func memory(of template: Template) -> Memory {
        var (conditions, lists): ([Condition], [FieldPath]) = ([], [])
        for part in template.parts {
            for condition in part.conditions where !conditions.contains(condition) { conditions.append(condition) }
            if let each = part.each, !lists.contains(each) { lists.append(each) }
        }
        return Memory(conditions: conditions, lists: lists, hasMore: template.hasPlansToRemember)
    }
}
