import JSON

/// Votes among the reactions to a message, for the options of its body: `{"option": ID, "count": N}`.
///
/// A style draws options with a `percent`, and the sum of all as `votes`. Where single readers have voted, both
/// count their votes, not those of the body; where none has, the body is as it was posted.
struct PollVotes {
    private var counts: [String: Int] = [:]
    private var total = 0

    /// Takes the votes out of the list, and the names of readers, which no style draws.
    init(takenFrom reactions: inout JSONValue) {
        guard case .array(let elements) = reactions else { return }
        var rest: [JSONValue] = []
        for element in elements {
            guard let option = element["option"]?.string, let count = element["count"]?.number?.integer,
                0..<(1 << 40) ~= count, counts[option] == nil
            else {
                rest.append(Self.withoutNames(element))
                continue
            }
            counts[option] = count
            total += count
        }
        reactions = .array(rest)
    }

    private static func withoutNames(_ element: JSONValue) -> JSONValue {
        guard let object = element.object, object["by"] != nil else { return element }
        return .object(JSONObject(object.members.filter { $0.key != "by" }))
    }

    /// The body as it is with these votes.
    func applied(to members: [JSONObject.Member]) -> [JSONObject.Member] {
        guard total > 0, let options = members.first(where: { $0.key == "options" })?.value.array,
            options.contains(where: { $0["id"]?.string.map { counts[$0] != nil } ?? false })
        else { return members }
        let counted = options.map { option -> JSONValue in
            guard let object = option.object else { return option }
            let count = object["id"]?.string.flatMap { counts[$0] } ?? 0
            let percent = (count * 200 + total) / (total * 2)
            return .object(
                JSONObject(object.members.filter { $0.key != "percent" } + [.init("percent", .number(.init(percent)))]))
        }
        return members.filter { $0.key != "options" && $0.key != "votes" }
            + [.init("options", .array(counted)), .init("votes", .number(.init(total)))]
    }
}
