import Flood
import FormeLayout
import Foundation
import Shaping
import Storage

extension Command {
    static let bench = Command(
        name: "bench",
        summary: "measures texts, layouts, conversations, pages, widths and streams, and the size of records",
        usage: """
            usage: forme bench text|layout|record|client|storage|conversation|pages|widths|streams|fairness [OPTIONS]

            text    the text engine beside Pango and HarfBuzz
            layout  what a worker does for a message, step by step: plain texts, every kind that the flood posts, more targets
            record  the bytes of records by section, and how fast a page of them is decoded
            client  a page of texts in a client: from the bytes of a frame to what is drawn in rows
            storage the journal and the shards beside a program that writes just the rows
            conversation
                    a long one: its sealed blocks, how fast it opens, and what each operation costs
            pages   windows that a service of its own answers, beside a program that answers as many bytes from memory
            widths  a conversation at a width that nobody foresaw, and every kind
            streams how late many who follow conversations of a service of its own over HTTP hear of what is posted
            fairness
                    what is left for fifty readers and fifty producers who ask for little, beside one of each who offer
                    three times what the machine can do

              --json               one JSON object, instead of a table
              --rounds N           of which medians are taken (default: 3)
              --mixed FILE         text, record, client: texts in many scripts, one JSON object with "text" a line
                                   (default: the oracle's cases)
              --rows N             conversation: how long it is (default: 1000000); pages: how long each is (default: 1000);
                                   widths: how long it is (default: 10000)
              --conversations N    pages: how many (default: 100); streams: how many are followed at once (default: 500)
              --streams N          streams: how many follow them (default: 5000)
              --seconds N          pages, streams, fairness: of each run (default: 4, 10 and 10)
              --flood N            pages: messages a second that come in during one of the runs (default: 10000)
              --style FILE         layout, record, client, conversation, pages, widths, streams, fairness: the style (default: \(StyleOption.standard))
              --messages N         storage, layout: to a run (default: 200000 and 20000; of each kind a fifth)
              --kind KIND          layout: nothing but messages of one kind (\(mixed))
              --fixtures FOLDER    widths: a message of each kind, KIND.jsonl (default: \(fixtures))
            \(FontOption.usage)

            deploy/bench installs and builds what is compared, and runs this.
            """
    ) { words in
        let arguments = try Arguments(
            Array(words.dropFirst()), of: "bench",
            options: [
                FontOption.name, StyleOption.name, "mixed", "rounds", "rows", "fixtures", "seconds", "flood", "streams",
                "kind",
            ]
                + storageOptions,
            switches: ["json"])
        let rounds = try arguments.integer("rounds", in: 1...100, default: 3)
        let fonts = FontOption.loader(arguments)
        let isJSON = arguments.has("json")
        switch words.first {
        case "text":
            let report = try TextReport(
                latin: BenchTexts.latin(), mixed: BenchTexts.mixed(arguments), rounds: rounds, fonts: fonts,
                fontWords: arguments.text(FontOption.name).map { ["--\(FontOption.name)", $0] } ?? [])
            print(isJSON ? report.json : report.table)
        case "layout":
            let report = try LayoutReport(
                style: StyleOption.style(arguments), fonts: fonts, kind: kind(arguments),
                messages: arguments.integer("messages", in: 10...10_000_000, default: 20_000), rounds: rounds)
            print(isJSON ? report.json : report.table)
        case "record":
            let report = try RecordReport(
                style: StyleOption.style(arguments), fonts: fonts(), texts: BenchTexts.mixed(arguments), rounds: rounds)
            print(isJSON ? report.json : report.table)
        case "client":
            let report = try ClientReport(
                style: StyleOption.style(arguments), fonts: fonts(), texts: BenchTexts.mixed(arguments), rounds: rounds)
            print(isJSON ? report.json : report.table)
        case "storage" where arguments.text("part") != nil: try runStoragePart(arguments)
        case "storage":
            let report = try StorageReport(
                messages: arguments.integer("messages", in: 10_000...100_000_000, default: 200_000), rounds: rounds)
            print(isJSON ? report.json : report.table)
        case "conversation":
            let report = try ConversationReport(
                style: StyleOption.style(arguments), fonts: fonts(), texts: BenchTexts.latin(),
                rows: arguments.integer("rows", in: 2_000...10_000_000, default: 1_000_000), rounds: rounds)
            print(isJSON ? report.json : report.table)
        case "pages":
            var plan = PagesReport.Plan()
            plan.conversations = try arguments.integer("conversations", in: 1...10_000, default: plan.conversations)
            plan.rows = try arguments.integer("rows", in: 50...1_000_000, default: plan.rows)
            plan.seconds = try arguments.integer("seconds", in: 1...600, default: plan.seconds)
            plan.flood = try arguments.integer("flood", in: 0...1_000_000, default: plan.flood)
            plan.rounds = rounds
            plan.looks = arguments.words([StyleOption.name, FontOption.name])
            let report = try PagesReport(plan, style: StyleOption.style(arguments))
            print(isJSON ? report.json : report.table)
        case "streams":
            var plan = StreamsReport.Plan()
            plan.conversations = try arguments.integer("conversations", in: 1...10_000, default: plan.conversations)
            plan.streams = try arguments.integer("streams", in: 1...50_000, default: plan.streams)
            plan.seconds = try arguments.integer("seconds", in: 1...600, default: plan.seconds)
            plan.looks = arguments.words([StyleOption.name, FontOption.name])
            let report = try StreamsReport(plan)
            print(isJSON ? report.json : report.table)
        case "fairness":
            var plan = FairnessReport.Plan()
            plan.seconds = try arguments.integer("seconds", in: 1...600, default: plan.seconds)
            plan.looks = arguments.words([StyleOption.name, FontOption.name])
            let report = try FairnessReport(plan)
            print(isJSON ? report.json : report.table)
        case "widths":
            let report = try WidthsReport(
                style: StyleOption.style(arguments), fonts: fonts(), texts: BenchTexts.latin(),
                kinds: WidthsReport.kinds(in: arguments.text("fixtures") ?? fixtures),
                rows: arguments.integer("rows", in: 1_000...20_000, default: 10_000), rounds: rounds)
            print(isJSON ? report.json : report.table)
        default:
            throw Failure(
                .usage,
                "bench what? There are text, layout, record, client, storage, conversation, pages, widths, streams and fairness. "
                    + "Read: forme help bench")
        }
    }

    private static let storageOptions = ["messages", "part", "conversations", "durability", "data"]

    /// What the storage benchmark asks of its own processes.
    private static func runStoragePart(_ arguments: Arguments) throws {
        let run = StorageRun(
            folder: DataFolder(try arguments.required("data")),
            messages: try arguments.integer("messages", in: 1...100_000_000, default: 200_000),
            conversations: try arguments.integer("conversations", in: 1...10_000_000, default: 1_000),
            durability: JournalSettings.Durability(rawValue: arguments.text("durability") ?? "") ?? .process)
        let speed = try arguments.required("part") == "journal" ? run.journal() : run.shards()
        print(speed.rate, speed.cost)
    }

    /// Of which the flood posts messages.
    private static let mixed = MessageMix.standard.kinds.map(\.rawValue).joined(separator: ", ")

    private static func kind(_ arguments: Arguments) throws -> MessageMix.Kind? {
        guard let name = arguments.text("kind") else { return nil }
        if let kind = MessageMix.Kind(rawValue: name) { return kind }
        throw arguments.refusal("--kind is none of \(mixed)")
    }

    private static let fixtures = "Tests/MessageLayoutTests/Fixtures/kinds"
}

extension BenchTexts {
    fileprivate static func mixed(_ arguments: Arguments) throws -> BenchTexts {
        try mixed(from: arguments.text("mixed") ?? usualMixedFile())
    }
}
