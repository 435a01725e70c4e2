import Console
import Storage

/// Benchmarks of whole processes, in folders of their own.
extension Benchmark {
    static let storage = Benchmark(
        "storage", "the journal and the shards beside a program that writes just the rows",
        [.rounds, .messages(200_000)],
        hidden: ["part", "conversations", "durability", "data"]
    ) { arguments in
        if arguments.text("part") != nil {
            try runStoragePart(arguments)
            return nil
        }
        return try StorageReport(
            messages: arguments.integer("messages", in: 10_000...100_000_000, default: 200_000),
            rounds: arguments.rounds())
    }

    static let pages = Benchmark(
        "pages", "windows that a service of its own answers, beside a program that answers as many bytes from memory",
        [
            .rounds, .conversations(100), .rows(1_000), .seconds(4),
            BenchOption("flood", "N", "messages a second that come in during one of the runs (default: 10000)"),
            BenchOption("cold", "N", "nothing but one window in each of N conversations of which nothing is in memory"),
            .style, .fonts,
        ]
    ) { arguments in
        if arguments.text("cold") != nil {
            var plan = ColdPagesReport.Plan()
            plan.conversations = try arguments.integer("cold", in: 1...10_000, default: plan.conversations)
            plan.rows = try arguments.integer("rows", in: 256...1_000_000, default: plan.rows)
            plan.rounds = try arguments.rounds()
            plan.looks = arguments.looks
            return try ColdPagesReport(plan, style: StyleOption.style(arguments))
        }
        var plan = PagesReport.Plan()
        plan.conversations = try arguments.integer("conversations", in: 1...10_000, default: plan.conversations)
        plan.rows = try arguments.integer("rows", in: 50...1_000_000, default: plan.rows)
        plan.seconds = try arguments.integer("seconds", in: 1...600, default: plan.seconds)
        plan.flood = try arguments.integer("flood", in: 0...1_000_000, default: plan.flood)
        plan.rounds = try arguments.rounds()
        plan.looks = arguments.looks
        return try PagesReport(plan, style: StyleOption.style(arguments))
    }

    static let previews = Benchmark(
        "previews", "previews of what is being written, one for each letter, from a service of its own",
        [BenchOption("previews", "N", "on each of two screens (default: 1000)"), .style, .fonts]
    ) { arguments in
        try PreviewsReport(
            previews: arguments.integer("previews", in: 1...1_000_000, default: 1000), looks: arguments.looks)
    }

    static let streams = Benchmark(
        "streams", "how late many who follow conversations of a service of its own over HTTP hear of what is posted",
        [
            .conversations(500), BenchOption("streams", "N", "how many follow them (default: 5000)"), .seconds(10),
            .style, .fonts,
        ]
    ) { arguments in
        var plan = StreamsReport.Plan()
        plan.conversations = try arguments.integer("conversations", in: 1...10_000, default: plan.conversations)
        plan.streams = try arguments.integer("streams", in: 1...50_000, default: plan.streams)
        plan.seconds = try arguments.integer("seconds", in: 1...600, default: plan.seconds)
        plan.looks = arguments.looks
        return try StreamsReport(plan)
    }

    static let fairness = Benchmark(
        "fairness",
        "what is left for fifty readers and fifty producers who ask for little, beside one of each who offer three times as much "
            + "as the machine can do",
        [.seconds(10), .style, .fonts]
    ) { arguments in
        var plan = FairnessReport.Plan()
        plan.seconds = try arguments.integer("seconds", in: 1...600, default: plan.seconds)
        plan.looks = arguments.looks
        return try FairnessReport(plan)
    }

    /// Runs a part of the storage benchmark in a process of its own, and prints its figures.
    private static func runStoragePart(_ arguments: Arguments) throws {
        let run = StorageRun(
            folder: DataFolder(try arguments.required("data")),
            messages: try arguments.integer("messages", in: 1...100_000_000, default: 200_000),
            conversations: try arguments.integer("conversations", in: 1...10_000_000, default: 1_000),
            durability: JournalSettings.Durability(rawValue: arguments.text("durability") ?? "") ?? .process)
        let speed = try arguments.required("part") == "journal" ? run.journal() : run.shards()
        print(speed.rate, speed.cost)
    }
}
