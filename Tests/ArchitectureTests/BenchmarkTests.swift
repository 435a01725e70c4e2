import Foundation
import Testing

/// The folders in which engines and parts of them are timed. Floods, streams and pages are elsewhere: they count from
/// when something was due.
private let laboratories = ["Client", "Conversations", "Engine", "Layouts"]

@Test func `engines are timed by the time for which their thread had a processor`() throws {
    let sources = try Repository.swiftFiles(in: "Sources/forme-bench")
    let clock = try #require(sources.first { $0.path.hasSuffix("Machine/ProcessorTime.swift") })
    #expect(clock.text.contains("CLOCK_THREAD_CPUTIME_ID") && !clock.text.contains("CLOCK_MONOTONIC"))
    for folder in laboratories {
        let files = sources.filter { $0.path.contains("/\(folder)/") }
        #expect(files.contains { $0.text.contains("ProcessorTime.now") }, "\(folder)")
        for file in files {
            var text = file.text
            // The steps of one message are shorter than a question to the kernel, and are shares of the whole.
            if file.path.hasSuffix("LayoutRun.swift") {
                let steps = try #require(text.firstRange(of: "func stages("))
                #expect(text[..<steps.lowerBound].contains("ProcessorTime.now"))
                text.removeSubrange(steps.lowerBound...)
            }
            let clocks = [
                "ContinuousClock", "SuspendingClock", "CLOCK_MONOTONIC", "CLOCK_REALTIME", "Date()", "DispatchTime",
                "systemUptime", "CFAbsoluteTime",
            ]
            #expect(clocks.filter(text.contains).isEmpty, "\(file.path) looks at a clock on the wall")
        }
    }
}

@Test func `what engines are compared with is timed by the same clock`() throws {
    let head = try String(contentsOf: Repository.root.appending(path: "Tests/Benchmarks/texts.h"), encoding: .utf8)
    #expect(head.contains("clock_gettime(CLOCK_THREAD_CPUTIME_ID"))
    for engine in ["HarfBuzz", "Pango"] {
        let folder = Repository.root.appending(path: "Tests/Benchmarks/\(engine)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".c") }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(text.contains("texts.h") && !text.contains("clock_gettime"), "\(engine)/\(file)")
        }
    }
}
