package import JSON
import MessageLayout
import Names
import Wire

extension OperatorRequest {
    package static let longestShelf = 1000
    package static let mostUrged = 256
    package static let mostWanted = 64
    package static let mostSuspected = 64

    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let fields = try JSONReader(JSONValue.parse(bytes)).object(
            knownKeys: [
                "do", "lane", "process", "after", "limit", "places", "messages", "edition", "target", "targets",
                "shards", "now", "host", "partition",
            ])
        let word = try fields.required("do")
        switch try word.string() {
        case "status": self = .status
        case "health": self = .health
        case "top": self = .top
        case "cluster": self = .cluster
        case "adopt": self = .adopt(partition: try Self.partition(fields))
        case "move":
            self = .move(to: try fields.required("host").string(), partition: try Self.partition(fields))
        case "compare": self = .compare
        case "pause": self = .pause(try Self.lane(fields))
        case "resume": self = .resume(try Self.lane(fields))
        case "drain": self = .drain
        case "stop-draining": self = .stopDraining
        case "dismiss":
            self = .dismiss(process: Int32(try fields.required("process").integer(in: 1...Int(Int32.max))))
        case "shelf":
            self = .shelf(
                after: try fields.optional("after").map(Self.place),
                limit: try fields.optional("limit")?.integer(in: 1...Self.longestShelf) ?? 100)
        case "replay": self = .replay(try Self.places(fields))
        case "drop": self = .drop(try Self.places(fields))
        case "urge": self = .urge(try Self.messages(fields))
        case "roll": self = .roll(to: try Self.edition(fields), isHurried: try fields.optional("now")?.bool() ?? false)
        case "retire": self = .retire(try Self.edition(fields))
        case "wanted": self = .wanted(try Self.wanted(fields))
        case "suspect": self = .suspect(try Self.suspected(fields))
        case "prepare": self = .prepare(try Self.target(fields.required("target")))
        case "forget": self = .forget(try Self.target(fields.required("target")))
        default:
            throw word.mismatch(
                expected:
                    "status, health, top, cluster, adopt, move, compare, pause, resume, drain, stop-draining, dismiss, shelf, replay, drop, "
                    + "urge, roll, retire, wanted, suspect, prepare or forget")
        }
    }

    private static func lane(_ fields: JSONReader.Fields) throws(JSONError) -> Lane {
        try fields.required("lane").choice(["live": .live, "backfill": .backfill, "relayout": .relayout])
    }

    /// Returns the places that are named; nil for all.
    private static func places(_ fields: JSONReader.Fields) throws(JSONError) -> [ShelfPlace]? {
        guard let list = fields.optional("places") else { return nil }
        var places: [ShelfPlace] = []
        for element in try list.elements() { places.append(try place(element)) }
        return places
    }

    private static func messages(_ fields: JSONReader.Fields) throws(JSONError) -> [MessageKey] {
        let list = try fields.required("messages")
        let elements = try list.elements()
        guard elements.count <= mostUrged else { throw list.mismatch(expected: "at most \(mostUrged) messages") }
        var messages: [MessageKey] = []
        for element in elements {
            let names = try element.elements()
            guard names.count == 2 else { throw element.mismatch(expected: "[conversation, message]") }
            messages.append(MessageKey(try names[0].name(), try names[1].name()))
        }
        return messages
    }

    private static func wanted(_ fields: JSONReader.Fields) throws(JSONError) -> [WantedTarget] {
        let list = try fields.required("targets")
        let elements = try list.elements()
        guard elements.count <= mostWanted else { throw list.mismatch(expected: "at most \(mostWanted) targets") }
        var wanted: [WantedTarget] = []
        for element in elements {
            let parts = try element.elements()
            guard parts.count == 2 else { throw element.mismatch(expected: "[target, how often]") }
            let times = try parts[1].integer(in: 1...WantedTarget.mostTimes)
            wanted.append(WantedTarget(try target(parts[0]), times: times))
        }
        return wanted
    }

    private static func suspected(_ fields: JSONReader.Fields) throws(JSONError) -> [ShardOfEdition] {
        let list = try fields.required("shards")
        let elements = try list.elements()
        guard elements.count <= mostSuspected else { throw list.mismatch(expected: "at most \(mostSuspected) shards") }
        var shards: [ShardOfEdition] = []
        for element in elements {
            guard let shard = ShardOfEdition(try element.string()) else {
                throw element.mismatch(expected: "EDITION/SHARD")
            }
            shards.append(shard)
        }
        return shards
    }

    private static func target(_ reader: JSONReader) throws(JSONError) -> Target {
        guard let target = Target(text: try reader.string()) else {
            throw reader.mismatch(expected: "a width and a scale such as 375@3, and a text scale in percent: 375@3,130")
        }
        return target
    }

    private static func place(_ reader: JSONReader) throws(JSONError) -> ShelfPlace {
        guard let place = ShelfPlace(try reader.string()) else {
            throw reader.mismatch(expected: "EDITION/SHARD/JOB, as the shelf names them")
        }
        return place
    }

    private static func edition(_ fields: JSONReader.Fields) throws(JSONError) -> EditionID {
        let reader = try fields.required("edition")
        guard let edition = try? EditionID(reader.string()) else {
            throw reader.mismatch(expected: "hexadecimal digits, as the status names them")
        }
        return edition
    }

    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { members in
            members.key("do")
            switch self {
            case .status: members.string("status")
            case .health: members.string("health")
            case .top: members.string("top")
            case .cluster: members.string("cluster")
            case .adopt(let partition):
                members.string("adopt")
                members.write(partition: partition)
            case .move(let heir, let partition):
                members.word("move", "host", heir)
                members.write(partition: partition)
            case .compare: members.string("compare")
            case .pause(let lane): members.word("pause", "lane", lane.word)
            case .resume(let lane): members.word("resume", "lane", lane.word)
            case .drain: members.string("drain")
            case .stopDraining: members.string("stop-draining")
            case .dismiss(let process):
                members.string("dismiss")
                members.key("process")
                members.integer(process)
            case .shelf(let after, let limit):
                members.string("shelf")
                if let after {
                    members.key("after")
                    members.string(after.text)
                }
                members.key("limit")
                members.integer(limit)
            case .replay(let places): members.places("replay", places)
            case .drop(let places): members.places("drop", places)
            case .urge(let messages):
                members.string("urge")
                members.key("messages")
                members.array { json in
                    for message in messages {
                        json.array {
                            $0.string(message.conversation.text)
                            $0.string(message.message.text)
                        }
                    }
                }
            case .roll(let edition, let isHurried):
                members.word("roll", "edition", edition.text)
                if isHurried {
                    members.key("now")
                    members.bool(true)
                }
            case .retire(let edition): members.word("retire", "edition", edition.text)
            case .wanted(let targets):
                members.string("wanted")
                members.key("targets")
                members.array { json in
                    for one in targets {
                        json.array {
                            $0.string(one.target.text)
                            $0.integer(one.times)
                        }
                    }
                }
            case .suspect(let shards):
                members.string("suspect")
                members.key("shards")
                members.array { for shard in shards { $0.string(shard.text) } }
            case .prepare(let target): members.word("prepare", "target", target.text)
            case .forget(let target): members.word("forget", "target", target.text)
            }
        }
        return json.bytes
    }
}

extension OperatorRequest {
    fileprivate static func partition(_ fields: JSONReader.Fields) throws(JSONError) -> Int? {
        guard let reader = fields.optional("partition") else { return nil }
        return try reader.integer(in: 0...Int(UInt16.max))
    }
}

extension JSONWriter {
    fileprivate mutating func write(partition: Int?) {
        guard let partition else { return }
        key("partition")
        integer(partition)
    }

    fileprivate mutating func word(_ word: String, _ key: String, _ value: String) {
        string(word)
        self.key(key)
        string(value)
    }

    fileprivate mutating func places(_ word: String, _ places: [ShelfPlace]?) {
        string(word)
        guard let places else { return }
        key("places")
        array { for place in places { $0.string(place.text) } }
    }
}

extension Lane {
    package var word: String {
        switch self {
        case .live: "live"
        case .backfill: "backfill"
        case .relayout: "relayout"
        }
    }
}
