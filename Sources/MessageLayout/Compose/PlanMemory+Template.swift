import JSON

extension PlanMemory {
    /// Plans of one template, by what a message answers to the questions of its parts.
    final class Memory {
        /// A condition; or, where there is none, whether a list has elements.
        private struct Question: Equatable {
            var path: FieldPath
            var condition: Condition?

            func holds(_ value: JSONValue?) -> Bool {
                let own = path.names.count == 1 ? value : path.names.dropFirst().reduce(value) { $0?[$1] }
                return condition.map { $0.holds(own) } ?? (own?.array?.isEmpty == false)
            }
        }

        let hasMore: Bool
        private(set) var plans: [(answers: UInt64, expectsCuts: Bool, plan: Plan)] = []
        /// Questions of all parts, each once.
        private let questions: [Question]
        /// Answers of a message that says nothing.
        private let silence: UInt64
        private static let mostPlans = 32

        init(of template: Template) {
            hasMore = template.hasPlansToRemember
            var questions: [Question] = []
            for part in template.parts {
                let own = part.conditions.map { Question(path: $0.path, condition: $0) }
                for question in own + (part.each.map { [Question(path: $0)] } ?? []) where !questions.contains(question)
                {
                    questions.append(question)
                }
            }
            self.questions = questions
            silence = questions.indices.reduce(0) { $0 | (questions[$1].holds(nil) ? 1 << UInt64($1) : 0) }
        }

        /// A bit for each; nil when there are more questions than bits.
        func answers(_ message: JSONValue) -> UInt64? {
            guard questions.count <= 64, let members = message.object?.members else { return nil }
            var answers = silence
            for member in members {
                for i in questions.indices where questions[i].path.names[0] == member.key {
                    let bit = 1 << UInt64(i) as UInt64
                    answers = questions[i].holds(member.value) ? answers | bit : answers & ~bit
                }
            }
            return answers
        }

        /// Keeps a plan of whose parts the answers say all.
        func keep(_ plan: Plan, _ answers: UInt64, _ expectsCuts: Bool) {
            if plans.count < Self.mostPlans { plans.append((answers, expectsCuts, plan)) }
        }
    }
}
