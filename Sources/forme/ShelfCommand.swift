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
        that had it in hand.
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
        case "replay": try tell(.replay(places.isEmpty ? nil : places), places, &task)
        case "drop" where places.isEmpty && !arguments.has("all"):
            throw arguments.refusal("drop takes --place, or --all")
        case "drop": try tell(.drop(places.isEmpty ? nil : places), places, &task)
        default: throw arguments.refusal("shelf takes list, replay or drop")
        }
    }

    /// Gives an order about these places, or about the whole shelf, and says so where nothing is there.
    private func tell(_ order: OperatorRequest, _ places: [ShelfPlace], _ task: inout OperatorTask) throws {
        guard try task.tell(order) == 0 else { return }
        guard places.isEmpty else {
            let named = places.map(\.text).joined(separator: " or ")
            throw Failure(.failed, "no message was given up at \(named); see forme shelf list")
        }
        print(Self.nothing)
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
