import Console
import FormeClientZMQ
import Foundation
import JSON
import Wire

/// Conversations to look at, in many scripts and of every kind: events as `forme import` takes them, with times
/// relative to now.
struct ShownConversations {
    static let path = SharedFile.path("config/demo/conversations.jsonl")

    let events: [ChatEvent]

    /// - Parameter now: milliseconds since 1970.
    init(now: Int64) throws {
        guard let text = try? String(contentsOfFile: Self.path, encoding: .utf8) else {
            throw Failure(.inputOutput, "\(Self.path) is not there; start this in the folder of the project")
        }
        events = try text.split(separator: "\n").map { line in
            var line = try JSONValue.parse(Array(line.utf8))
            if var event = line.object, let time = line["time"]?.number?.integer {
                let moment = JSONValue.number(JSONNumber(now + Int64(time)))
                event = JSONObject(
                    event.members.filter { $0.key != "time" } + [
                        JSONObject.Member("time", moment), JSONObject.Member("order", moment),
                    ])
                line = .object(event)
            }
            let document = JSONDocument(name: Self.path, bytes: Array(line.indented().utf8), dialect: .json)
            return try document.read { (reader) throws(JSONError) in try ChatEvent(reader) }
        }
    }

    func post(_ client: inout Client) throws {
        let answers = try client.post(events, within: .seconds(60))
        if let refused = answers.first(where: { $0 != .accepted && $0 != .duplicate }) {
            throw Failure(.failed, "\(Self.path): an event was answered \(refused)")
        }
    }
}
