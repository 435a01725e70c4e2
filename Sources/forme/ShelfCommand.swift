import Console
import JSON
import Pool
import Wire

struct ShelfCommand: Command {
    let name = "shelf"
    let summary = "lists messages that were given up, and tries them again or drops them"
    let usage = """
        usage: forme shelf list   [OPTIONS]
               forme shelf replay [--place PLACE]… [OPTIONS]    all of them where none is named
               forme shelf drop   --place PLACE… | --all [OPTIONS]

          --place PLACE        EDITION/SHARD/JOB, as the list names it
          --limit N            of the list (default: 100)
          --json               the list as the coordinator says it
        \(Place.usage)

        A message is given up when the style refuses it, or when workers were lost with it: three that had begun it alone, or ten
        that had it in hand. Tried again, a message that the style refuses comes back at once: replay says so, with the reason, and
        ends with 1.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            Array(words.dropFirst()), of: "shelf", options: Place.options + ["limit", "place"], lists: ["place"],
            switches: ["all", "json"])
        let places = try arguments.texts("place").map { text in
            guard let place = ShelfPlace(text) else {
                throw arguments.refusal("--place takes EDITION/SHARD/JOB, not '\(text)'")
            }
            return place
        }
        var task = try OperatorTask(arguments)
        switch words.first {
        case "list":
            let limit = try arguments.integer("limit", in: 1...OperatorRequest.longestShelf, default: 100)
            let answer = try task.ask(.shelf(after: nil, limit: limit))
            if arguments.has("json") {
                var json = JSONWriter()
                json.value(answer)
                print(String(decoding: json.bytes, as: UTF8.self))
            } else {
                print(text(of: answer["shelf"]?.array ?? []))
            }
        case "replay": try replay(places, &task)
        case "drop" where places.isEmpty && !arguments.has("all"):
            throw arguments.refusal("drop takes --place, or --all")
        case "drop":
            if let count = try tell(.drop(places.isEmpty ? nil : places), places, &task) { print("done: \(count)") }
        default: throw arguments.refusal("shelf takes list, replay or drop")
        }
    }

    /// Has messages laid out again, and says how many of them came back.
    private func replay(_ places: [ShelfPlace], _ task: inout OperatorTask) throws {
        let meant = try Set(places.isEmpty ? task.shelf().map(\.place) : places.map(\.text))
        guard let count = try tell(.replay(places.isEmpty ? nil : places), places, &task) else { return }
        let left = try task.shelf(afterTrying: meant)
        let back = left.filter { !$0.isTriedAgain }
        guard let first = back.first else {
            return print("done: \(count)" + (left.isEmpty ? "" : "; \(left.count) of them still wait to be laid out"))
        }
        let others = back.contains { $0.reason != first.reason } ? ", and others" : ""
        throw Failure(
            .failed, "\(back.count) of \(count) came back: \(first.reason.visible)\(others); read: forme shelf list")
    }

    /// Gives an order about these places, or about the whole shelf, and returns the number of messages that it was
    /// about. Says so where there are none, and returns nil.
    private func tell(
        _ order: OperatorRequest, _ places: [ShelfPlace], _ task: inout OperatorTask
    ) throws -> Int? {
        let count = try task.ask(order)["count"]?.number?.integer ?? 0
        guard count == 0 else { return count }
        guard places.isEmpty else {
            let named = places.map(\.text).joined(separator: " or ")
            throw Failure(.failed, "no message was given up at \(named); see forme shelf list")
        }
        print(Self.nothing)
        return nil
    }

    private static let nothing = "nothing was given up"

    private func text(of jobs: [JSONValue]) -> String {
        guard !jobs.isEmpty else { return Self.nothing }
        let rows = jobs.map { job in
            ["place", "conversation", "message", "reason"].map { (job[$0]?.string ?? "").visible }
        }
        return Columns.aligned([["place", "conversation", "message", "why"]] + rows, left: [0, 1, 2, 3])
    }
}

/// A message that was given up, as the coordinator names it.
private struct GivenUp {
    let place: String
    let reason: String
    let isTriedAgain: Bool

    init(_ json: JSONValue) {
        (place, reason) = (json["place"]?.string ?? "", json["reason"]?.string ?? "")
        isTriedAgain = json["tried_again"]?.bool ?? false
    }
}

extension OperatorTask {
    /// All messages that were given up.
    fileprivate mutating func shelf() throws -> [GivenUp] {
        var all: [GivenUp] = []
        while true {
            let last = all.last.flatMap { ShelfPlace($0.place) }
            let page = try ask(.shelf(after: last, limit: OperatorRequest.longestShelf))["shelf"]?.array ?? []
            all += page.map(GivenUp.init)
            guard page.count == OperatorRequest.longestShelf else { return all }
        }
    }

    /// The messages of these places that are on the shelf after they were tried again, or after ten seconds.
    fileprivate mutating func shelf(afterTrying places: Set<String>) throws -> [GivenUp] {
        let deadline = ContinuousClock.now + .seconds(10)
        var isSettled = false
        while true {
            let left = try shelf().filter { places.contains($0.place) }
            let waits = left.contains(where: \.isTriedAgain)
            // A message leaves the shelf a moment after it was laid out.
            if left.isEmpty || !waits && isSettled || .now >= deadline { return left }
            isSettled = !waits
            _ = try rest(.milliseconds(250))
        }
    }
}
