import Console

/// A command that measures, and prints a table or with `--json` one object.
struct Benchmark: Command {
    let name: String
    let summary: String
    private let options: [BenchOption]
    private let hidden: [String]
    private let measure: @Sendable (Arguments) throws -> (any BenchReport)?

    /// - Parameters:
    ///   - hidden: options for the benchmark's own processes alone.
    ///   - measure: returns nil in a process that has printed its own answer.
    init(
        _ name: String, _ summary: String, _ options: [BenchOption], hidden: [String] = [],
        _ measure: @escaping @Sendable (Arguments) throws -> (any BenchReport)?
    ) {
        (self.name, self.summary, self.options, self.hidden, self.measure) = (name, summary, options, hidden, measure)
    }

    var usage: String {
        """
        usage: forme-bench \(name) [OPTIONS]

          --json               one JSON object, instead of a table
        \(options.map(\.usage).joined(separator: "\n"))
        """
    }

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: name, options: options.map(\.name) + hidden, switches: ["json"])
        guard let report = try measure(arguments) else { return }
        print(arguments.has("json") ? report.json : report.table)
    }
}
