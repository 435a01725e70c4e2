import Foundation

/// The time from nothing to the lines of a first message: a process is started, opens all fonts and ends.
struct BenchStart {
    /// Milliseconds with the identities of fonts remembered.
    let cold: Double
    /// Milliseconds where nothing is remembered, and every font is read to be hashed.
    let first: Double
    /// Milliseconds of processor time of a cold start: the time that is left of it on an idle machine.
    let processor: Double

    private static let line = """
        {"id": "1", "text": "See you at nine?", "font_size": 16, "max_width": 280, "line_height": 20, "scale": 2}

        """

    /// - Parameter fonts: the option that names the list, if it was given.
    static func measure(fonts: [String]) throws -> BenchStart {
        let memory = NSTemporaryDirectory() + "forme-bench-cache-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: memory) }
        var usedFirst = 0.0
        let times = try (0...10).map { n in
            let time = try BuiltProgram.run(
                try BuiltProgram.forme(), ["lines"] + fonts, input: line, environment: ["XDG_CACHE_HOME": memory]
            ).time
            if n == 0 { usedFirst = processorTimeOfChildren() }
            return time / .milliseconds(1)
        }
        return BenchStart(
            cold: times.dropFirst().sorted()[5], first: times[0],
            processor: (processorTimeOfChildren() - usedFirst) * 100)
    }

    /// Processor time of children that have ended, in seconds.
    private static func processorTimeOfChildren() -> Double {
        var usage = rusage()
        unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
    }
}
