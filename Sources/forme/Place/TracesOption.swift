import Console
import Operations
import Settings

/// `--traces`: the target of spans.
enum TracesOption {
    static let name = "traces"
    static let share = "trace-one-in"
    static let names = [name, share]
    static let usage = """
          --traces TARGET      follows messages through all processes: spans as OTLP/JSON to a file, or to a collector of this machine,
                               http://127.0.0.1:4318 (default: that of the configuration, off)
          --trace-one-in N     one message of so many (default: that of the configuration, 100)
        """

    static func read(_ arguments: Arguments, into traces: inout Configuration.Tracing) throws {
        if let text = arguments.text(name) {
            guard text == "off" || Configuration.Tracing.isTarget(text) else {
                throw arguments.refusal(
                    "--traces takes off, a FILE, or http://HOST:PORT of this machine, such as http://127.0.0.1:4318, not '\(text)'"
                )
            }
            traces.target = text == "off" ? nil : text
        }
        traces.oneIn = try arguments.integer(share, in: 1...1_000_000_000, default: traces.oneIn)
    }
}

extension Place {
    /// Follows messages in this process, where that is wanted. `Traces.end()` writes the spans that are under way.
    func beginTraces(_ daemon: String) {
        guard let target = configuration.traces.target.flatMap(TraceTarget.init) else { return }
        Traces.begin(daemon, to: target, oneIn: configuration.traces.oneIn)
    }
}
