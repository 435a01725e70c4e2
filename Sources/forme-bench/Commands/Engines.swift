import Console
import Flood
import MessageLayout

/// Benchmarks of code that is called in this process.
extension Benchmark {
    static let text = Benchmark(
        "text", "the text engine beside Pango and HarfBuzz (deploy/bench installs and builds those)",
        [.rounds, .mixed, .fonts]
    ) { arguments in
        try TextReport(
            latin: BenchTexts.latin(), mixed: arguments.mixed(), rounds: arguments.rounds(),
            fonts: FontOption.loader(arguments), fontWords: arguments.words([FontOption.name]))
    }

    static let layout = Benchmark(
        "layout",
        "what a worker does for a message, step by step: plain texts, every kind that the flood posts, more targets",
        [
            .rounds, BenchOption("messages", "N", "to a run; of each kind a fifth (default: 20000)"),
            BenchOption("kind", "KIND", "nothing but messages of one kind (plain, \(mixedKinds))"),
            BenchOption("targets", "13", "of one kind, on the thirteen screens that goals are about"), .style, .fonts,
        ]
    ) { arguments in
        try LayoutReport(
            style: layoutStyle(arguments), fonts: FontOption.loader(arguments), wanted: wanted(arguments),
            messages: arguments.integer("messages", in: 10...10_000_000, default: 20_000), rounds: arguments.rounds())
    }

    static let record = Benchmark(
        "record", "the bytes of records by section, and how fast a page of them is decoded",
        [.rounds, .mixed, .style, .fonts]
    ) { arguments in
        try RecordReport(
            style: StyleOption.style(arguments), fonts: arguments.fonts(), texts: arguments.mixed(),
            rounds: arguments.rounds())
    }

    static let client = Benchmark(
        "client", "a page of texts in a client: from the bytes of a frame to what is drawn in rows",
        [.rounds, .mixed, .style, .fonts]
    ) { arguments in
        try ClientReport(
            style: StyleOption.style(arguments), fonts: arguments.fonts(), texts: arguments.mixed(),
            rounds: arguments.rounds())
    }

    static let conversation = Benchmark(
        "conversation", "a long one: its sealed blocks, how fast it opens, and what each operation costs",
        [.rounds, .rows(1_000_000), .style, .fonts]
    ) { arguments in
        try ConversationReport(
            style: StyleOption.style(arguments), fonts: arguments.fonts(), texts: BenchTexts.latin(),
            rows: arguments.integer("rows", in: 2_000...10_000_000, default: 1_000_000), rounds: arguments.rounds())
    }

    static let widths = Benchmark(
        "widths", "a conversation at a width that nobody foresaw, and every kind",
        [
            .rounds, .rows(10_000),
            BenchOption("fixtures", "FOLDER", "a message of each kind, KIND.jsonl (default: \(fixtures))"), .style,
            .fonts,
        ]
    ) { arguments in
        try WidthsReport(
            style: StyleOption.style(arguments), fonts: arguments.fonts(), texts: BenchTexts.latin(),
            kinds: WidthsReport.kinds(in: arguments.text("fixtures") ?? fixtures),
            rows: arguments.integer("rows", in: 1_000...20_000, default: 10_000), rounds: arguments.rounds())
    }

    private static let fixtures = "Tests/MessageLayoutTests/Fixtures/kinds"

    static let lists = Benchmark(
        "lists", "lists of very many conversations: how soon they are in memory, and what a page takes",
        [.conversations(1_000_000), BenchOption("pages", "N", "to a run (default: 2000)")]
    ) { arguments in
        try ListsReport(
            conversations: arguments.integer("conversations", in: 1000...10_000_000, default: 1_000_000),
            pages: arguments.integer("pages", in: 100...1_000_000, default: 2000))
    }

    /// The kinds of messages that the flood posts.
    private static let mixedKinds = MessageMix.standard.kinds.map(\.rawValue).joined(separator: ", ")

    /// The style, on its own screens, or with `--targets 13` on those that goals are about.
    private static func layoutStyle(_ arguments: Arguments) throws -> StyleSheet {
        let style = try StyleOption.style(arguments)
        guard let count = arguments.text("targets") else { return style }
        guard count == "13" else { throw arguments.refusal("--targets takes 13, not '\(count)'") }
        guard arguments.text("kind") != nil else { throw arguments.refusal("--targets goes with --kind") }
        return style.prepared(for: LayoutReport.thirteen)
    }

    private static func wanted(_ arguments: Arguments) throws -> LayoutReport.Wanted {
        guard let name = arguments.text("kind") else { return .everything }
        if name == "plain" { return .plain }
        if let kind = MessageMix.Kind(rawValue: name) { return .kind(kind) }
        throw arguments.refusal("--kind is none of plain, \(mixedKinds)")
    }
}
