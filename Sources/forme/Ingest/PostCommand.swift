import Console
import Flood
import FormeClientZMQ
import JSON
import Names
import Wire

struct PostCommand: Command {
    let name = "post"
    let summary = "sends events to the coordinator"
    let usage = """
        usage: forme post [OPTIONS] < events.jsonl
               forme post [OPTIONS] --sample N

          --sample N           N messages in many scripts and of many kinds, instead of standard input
          --conversation ID    the conversation of the samples (default: demo)
        \(Place.usage)

        One JSON object a line: \(MessageEvent.fields.joined(separator: ", ")).
        Or of the conversation itself: \(ConversationEvent.fields.joined(separator: ", ")).
        body is the message: an object with its kind and the fields of that. text is short for the body of a plain one.
        revision is 1 where it is left out. Ends when the coordinator has all of them on disk. Posting the same again
        changes nothing. Empty lines are passed over. Lines that are not kept are listed with their numbers, and make the exit
        status 1. Lines that are kept, and that the style does not draw as they were meant, or cannot lay out, are listed
        with a warning.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: "post", options: Place.options + ["sample", "conversation"])
        let place = try Place(arguments)
        try StandardInput.refuseFolder(insteadOf: "a file with an event a line")
        let samples = try arguments.integer("sample", in: 1...1_000_000, default: 0)
        let conversation: ConversationID = try arguments.name(
            arguments.text("conversation") ?? "demo", of: "--conversation")
        var poster = Poster(
            client: try Client(
                place.endpoints.events, access: place.calling(place.endpoints.events, as: "operator")), place)
        if samples > 0 {
            for number in 0..<samples {
                try poster.post(.message(Sample.event(number, in: conversation)), at: "sample \(number)")
            }
        } else {
            try poster.postStandardInput()
        }
        try poster.flush()
        try poster.tell()
    }
}

/// Collects events into requests, and counts the answers.
private struct Poster: ~Copyable {
    private var client: Client
    private let place: Place
    private var events: [(place: String, event: ChatEvent)] = []
    private var (accepted, repeated, superseded, invalid) = (0, 0, 0, 0)

    /// The number of events that are read before they are sent; the client divides them into requests.
    private static let eventsAtOnce = 256
    private var told: BusyReason?

    init(client: consuming Client, _ place: Place) {
        self.client = client
        self.place = place
    }

    mutating func postStandardInput() throws {
        var (lines, number) = (InputLines(), 0)
        while let line = try lines.next() {
            number += 1
            // The byte order mark that some programs write first is skipped.
            let text = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
            guard text.contains(where: { $0 > 0x20 }) else { continue }
            let place = "line \(number)"
            let document = JSONDocument(name: place, bytes: text, dialect: .json)
            do {
                try post(document.read { (reader) throws(JSONError) in try ChatEvent(reader) }, at: place)
            } catch let error as JSONError {
                refuse("\(error)")
            }
        }
    }

    /// - Parameter place: the name of the event in the sentence that it is not kept.
    mutating func post(_ event: ChatEvent, at place: String) throws {
        events.append((place, event))
        if events.count == Self.eventsAtOnce { try flush() }
    }

    mutating func flush() throws {
        guard !events.isEmpty else { return }
        if try !client.waitUntilWritable(atMost: Place.silence) {
            try place.tellOfWaiting(for: place.endpoints.events, isQuestion: false)
        }
        let answers = try client.post(
            events.map(\.event), within: .seconds(30),
            waits: { reason in
                // Each reason is told once: the user wants to know it, but not again and again.
                guard let reason, reason != told else { return }
                told = reason
                say("waiting: \(reason.sentence)")
            }, warns: { say("\(events[$0].place): kept, with a warning: \($1)") })
        for (place, answer) in zip(events.map(\.place), answers) {
            switch answer {
            case .accepted: accepted += 1
            case .duplicate: repeated += 1
            case .superseded: superseded += 1
            case .invalid(let field, let reason): refuse("\(place): \(field.isEmpty ? "" : field + ": ")\(reason)")
            case .busy(_, let reason):
                let why = reason?.sentence ?? "the coordinator is busy"
                throw Failure(.unavailable, "\(why); try again soon: what it has already changes nothing")
            }
        }
        events = []
    }

    private mutating func refuse(_ words: String) {
        invalid += 1
        say(words)
    }

    func tell() throws {
        let older = superseded > 0 ? "; \(superseded) were older than what is there" : ""
        print("posted \(accepted) events; \(repeated) were there before\(older)")
        if invalid > 0 { throw Failure(.failed, "\(invalid) events were not kept; they are listed above") }
    }
}

private func say(_ words: String) { StandardError.write("\(words.visible)\n") }

extension BusyReason {
    fileprivate var sentence: String {
        switch self {
        case .draining: "the service takes nothing while it is drained; forme pool accept ends that"
        case .full: "as much waits for the workers as may wait"
        case .disk: "the disk of the service is full, or cannot be written"
        case .cluster: "no host of the cluster takes events; forme cluster status says how they stand"
        }
    }
}
