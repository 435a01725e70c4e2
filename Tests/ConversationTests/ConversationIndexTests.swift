import Conversation
import Names
import TestSupport
import Testing

/// The list without any index, to compare with.
private struct Plain {
    var activities: [ConversationID: Int64] = [:]

    mutating func put(_ name: ConversationID, activity: Int64) {
        activities[name] = max(activities[name] ?? .min, activity)
    }

    func list(_ scope: ConversationIndex.Scope) -> [ConversationIndex.Place] {
        activities.filter { name, _ in
            switch scope {
            case .all: true
            case .one(let other): name == other
            case .prefix(let prefix): name.text.utf8.starts(with: prefix.utf8)
            }
        }.map { ConversationIndex.Place(activity: $1, name: $0) }
            .sorted { $0.activity == $1.activity ? $0.name < $1.name : $0.activity > $1.activity }
    }
}

private let parts = ["", "a", "b", "team/", "team/x", "tea", "\u{10FFFF}", "é", "zz"]

private func name(using random: inout SplitMix64) throws -> ConversationID {
    try ConversationID(parts.randomElement(using: &random)! + "\(Int.random(in: 0..<3000, using: &random))")
}

@Test func `pages one behind the other are the whole list of their scope, the active ones first`() {
    forEachSeed(6) { random in
        var (index, plain) = (ConversationIndex(), Plain())
        for _ in 0..<12_000 {
            let name = try name(using: &random)
            let activity = Int64.random(in: 0..<500, using: &random)
            index.put(name, activity: activity)
            plain.put(name, activity: activity)
        }
        guard index.count == plain.activities.count else { return false }
        for _ in 0..<500 {
            let name = try name(using: &random)
            guard index.activity(of: name) == plain.activities[name] else { return false }
        }
        let some = try ConversationID("team/7")
        let scopes: [ConversationIndex.Scope] = [
            .all, .prefix(""), .prefix("team/"), .prefix("tea"), .prefix("\u{10FFFF}"), .prefix("nobody"), .one(some),
        ]
        for scope in scopes {
            let expected = plain.list(scope)
            var (found, size) = ([ConversationIndex.Place](), Int.random(in: 1...999, using: &random))
            if expected.count > 5000 { size += 500 }
            while true {
                let page = index.page(of: scope, after: found.last, count: size)
                found += page
                if page.count < size { break }
            }
            guard found == expected else { return false }
        }
        return true
    }
}

@Test func `a place that is not in the list, or of another scope, leads to what is behind it`() {
    forEachSeed(20) { random in
        var (index, plain) = (ConversationIndex(), Plain())
        for _ in 0..<300 {
            let (name, activity) = (try name(using: &random), Int64.random(in: -3..<4, using: &random))
            index.put(name, activity: activity)
            plain.put(name, activity: activity)
        }
        let place = ConversationIndex.Place(
            activity: [.min, .max, 0, 2].randomElement(using: &random)!, name: try name(using: &random))
        let behind = plain.list(.prefix("tea")).filter {
            $0.activity == place.activity ? place.name < $0.name : $0.activity < place.activity
        }
        return index.page(of: .prefix("tea"), after: place, count: 1000) == behind
    }
}

@Test func `an index without conversations has no pages`() throws {
    #expect(ConversationIndex().page(of: .all, count: 50).isEmpty)
    #expect(ConversationIndex().page(of: .prefix("a"), count: 50).isEmpty)
}
