import Bytes
import Console
import FormeClientZMQ
import FormeLayout
import JSON
import MessageLayout
import Pool
import Settings
import Storage
import Wire

struct PoolCommand: Command {
    let name = "pool"
    let summary = "tells a running service what to do: pause, drain, roll an edition, add a screen"
    let usage = """
        usage: forme pool pause  --lane LANE [OPTIONS]     jobs that wait in the lane wait on
               forme pool resume --lane LANE [OPTIONS]
               forme pool drain [OPTIONS]                  nothing more is accepted; the rest is laid out
               forme pool accept [OPTIONS]                 the end of that
               forme pool dismiss --process ID [OPTIONS]   a worker finishes what it holds, and ends
               forme pool roll STYLE [OPTIONS]             lays out all in a style, and serves it then
               forme pool roll   --edition ID [OPTIONS]    the same for an edition that the service knows
               forme pool roll … --now [OPTIONS]           serves it as soon as it has what readers look at, and the rest behind
               forme pool retire --edition ID [OPTIONS]    removes one that is not served
               forme pool prepare --target WIDTH@SCALE [OPTIONS]  lays out for this screen beside those of the style
               forme pool forget  --target WIDTH@SCALE [OPTIONS]  no more; it may come back when it is asked for often

          --lane LANE          live, backfill or relayout
          --edition ID         as forme status names it
          --fonts FILE         the list of fonts that a STYLE is laid out with (default: that of the configuration)
          --target WIDTH@SCALE such as 397@3, or 397@3,130 with a text scale in percent
        \(Place.usage)

        A roll begins with the first worker of the edition. forme serve starts some; where none comes within ten seconds, roll says
        how to start one.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: 2,
            options: Place.options + [FontOption.name, "lane", "process", "edition", "target"], switches: ["now"])
        let (verb, style) = (arguments.operands.first, arguments.operands.dropFirst().first)
        guard style == nil || verb == "roll" else { throw arguments.refusal("'\(style!)' is not expected here") }
        guard !arguments.has("now") || verb == "roll" else { throw arguments.refusal("--now is of roll") }
        let request = try style.map { try roll($0, arguments) } ?? request(verb, arguments)
        var task = try OperatorTask(arguments)
        if case .retire(let edition) = request { try task.refuseUnknown(edition) }
        let count = try task.tell(request)
        if case .roll(let edition, _) = request, try !task.hasWorkers(edition) {
            StandardError.write(
                "no worker lays out the edition \(edition) yet; start one with forme worker --edition \(edition)\n")
        }
        if case .dismiss(let process) = request, count == 0 {
            throw Failure(.failed, "no worker has the process \(process); forme status lists them")
        }
    }

    private func request(_ verb: String?, _ arguments: Arguments) throws -> OperatorRequest {
        switch verb {
        case "pause": return .pause(try lane(arguments))
        case "resume": return .resume(try lane(arguments))
        case "drain": return .drain
        case "accept": return .stopDraining
        case "dismiss":
            _ = try arguments.required("process")
            return .dismiss(process: Int32(try arguments.integer("process", in: 1...Int(Int32.max), default: 0)))
        case "roll": return .roll(to: try edition(arguments), isHurried: arguments.has("now"))
        case "retire": return .retire(try edition(arguments))
        case "prepare": return .prepare(try target(arguments))
        case "forget": return .forget(try target(arguments))
        default:
            throw arguments.refusal(
                "pool takes pause, resume, drain, accept, dismiss, roll, retire, prepare or forget")
        }
    }

    /// Puts the style into the folder first, where workers find it.
    private func roll(_ style: String, _ arguments: Arguments) throws -> OperatorRequest {
        guard arguments.text("edition") == nil else { throw arguments.refusal("roll takes a STYLE or --edition") }
        let place = try Place(arguments)
        try place.refuseRoot()
        let fonts = try FontCatalog().identified(FontOption.families(place.configuration.fonts))
        let compiled = try CompiledEdition(StyleDocuments(reading: SharedFile.path(style)), fonts: fonts)
        guard try FolderManifest.read(in: place.folder) != nil else {
            throw Failure(.unavailable, "\(place.folder.path) is no folder of a service; name it with --data")
        }
        try EditionFolder(place.folder).keep(compiled.json, of: compiled.id)
        return .roll(to: compiled.id, isHurried: arguments.has("now"))
    }

    private func lane(_ arguments: Arguments) throws -> Lane {
        let word = try arguments.required("lane")
        guard let lane = Lane.allCases.first(where: { $0.word == word }) else {
            throw arguments.refusal("--lane takes live, backfill or relayout, not '\(word)'")
        }
        return lane
    }

    private func target(_ arguments: Arguments) throws -> Target {
        let text = try arguments.required("target")
        guard let target = Target(text: text) else {
            throw arguments.refusal("--target takes WIDTH@SCALE, such as 397@3, not '\(text)'")
        }
        return target
    }

    private func edition(_ arguments: Arguments) throws -> EditionID {
        let text = try arguments.required("edition")
        do throws(ByteError) {
            return try EditionID(text)
        } catch {
            throw arguments.refusal("--edition takes hexadecimal digits, as forme status shows them")
        }
    }
}

/// Requests to a coordinator, one after the other.
struct OperatorTask: ~Copyable {
    private let place: Place
    private let client: OperatorClient
    /// Whether the coordinator has been there. One that is not any more is perhaps started again, and is waited for.
    private var wasThere = false

    init(_ arguments: Arguments) throws {
        let place = try Place(arguments)
        let endpoint = place.endpoints.operators
        client = try OperatorClient(endpoint, access: place.calling(endpoint, as: "operator"))
        self.place = place
    }

    /// Prints that the request was done, with the count where there is one.
    @discardableResult
    mutating func tell(_ request: OperatorRequest) throws -> Int? {
        let count = try ask(request)["count"]?.number?.integer
        if count != 0 { print(count.map { "done: \($0)" } ?? "done") }
        return count
    }

    /// Refuses an edition that the service does not know, as retiring it would have no effect.
    mutating func refuseUnknown(_ edition: EditionID) throws {
        let known = try ask(.status)["status"]?["editions"]?.array ?? []
        guard !known.contains(where: { $0["edition"]?.string == edition.text }) else { return }
        throw Failure(.failed, "no edition \(edition.text) is there; forme status lists them")
    }

    /// Waits for somebody who lays the edition out; false where nobody has come for a while.
    mutating func hasWorkers(_ edition: EditionID) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            // The roll is taken: a coordinator that does not answer now is no failure of it.
            guard let known = try? ask(.status)["status"]?["editions"]?.array else { return true }
            // A coordinator of an earlier release does not say how many there are.
            if let line = known.first(where: { $0["edition"]?.string == edition.text }),
                line["workers"]?.number?.integer ?? 1 > 0
            {
                return true
            }
            guard .now < deadline else { return false }
            _ = try rest(.milliseconds(250))
        }
    }

    /// Waits between two questions.
    func rest(_ time: Duration) throws -> Bool { try client.rest(time) }

    mutating func ask(_ request: OperatorRequest) throws -> JSONValue {
        try answer(to: request, within: .seconds(10)).value
    }

    /// The bytes of an answer as they came, and their value.
    mutating func answer(
        to request: OperatorRequest, within time: Duration
    ) throws -> (json: [UInt8], value: JSONValue) {
        if try client.waitUntilWritable(atMost: Place.silence) {
            wasThere = true
        } else {
            try place.tellOfWaiting(for: place.endpoints.operators, isQuestion: !wasThere)
        }
        let (bytes, answer) = try client.ask(request, within: time)
        if let error = answer["error"]?.string { throw Failure(.failed, "the coordinator refuses: \(error)") }
        return (bytes, answer)
    }
}
