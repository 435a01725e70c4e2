import Foundation
import JSON
import Shaping
import Typography

/// Another program that lays out the same texts, for comparison: the C programs in Tests/Benchmarks.
enum Baseline: String {
    case pango = "Pango"
    case harfBuzz = "HarfBuzz"

    private var program: String { "forme-baseline-\(rawValue.lowercased())" }

    /// Beside this program, where `swift build` puts it.
    private var path: String { OwnProgram.folder + "/" + program }

    var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// What to do where it is missing.
    var advice: String {
        "\(program) is not there; deploy/bench installs what it needs and builds it (swift build -c release)"
    }

    /// Pango would take long over all of the texts, and has no cache that would notice.
    private var most: Int { self == .pango ? 2_000 : .max }

    func measure(_ texts: BenchTexts, _ fonts: FontList) throws -> BenchRun {
        let warming = texts.warming.prefix(most)
        let measured = texts.measured.prefix(most)
        let file = NSTemporaryDirectory() + "forme-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try Baseline.lines(of: warming + measured).write(toFile: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let words: [String] =
            switch self {
            case .pango: [file, Baseline.familyNames(fonts), Baseline.size, Baseline.widths]
            case .harfBuzz: [file, fonts.faces[0].path, Baseline.size]
            }
        let counts = ["60", "\(warming.count)", "\(measured.count)"]
        let output = try OwnProgram.run(path, words + counts).output
        let document = JSONDocument(name: program, bytes: Array(output), dialect: .json)
        return try document.read { (root) throws(JSONError) in try BenchRun(root) }
    }

    private static let size = "\(TextBench.size.raw / 64)"
    private static let widths = TextBench.widths.map(String.init).joined(separator: ",")

    /// One text to a line, as texts.h reads them.
    private static func lines(of texts: ArraySlice<String>) -> String {
        texts.map { text in
            text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\n", with: "\\n") + "\n"
        }.joined()
    }

    /// The families as fontconfig knows them, in the order of the list.
    private static func familyNames(_ fonts: FontList) -> String {
        var names: [String] = []
        for face in fonts.faces where !names.contains(face.familyName) { names.append(face.familyName) }
        return names.joined(separator: ",")
    }
}

extension BenchRun {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        self.init()
        messages = try fields.required("messages").integer(in: 0...Int.max)
        seconds = try fields.required("seconds").number().double ?? 0
        lines = try fields.required("lines").integer(in: 0...Int.max)
    }
}

/// Programs run by the benchmarks, this one among them.
enum OwnProgram {
    static let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "forme"
    static let folder = URL(filePath: path).deletingLastPathComponent().path

    /// What the program printed, and how long it took to its end. It is a failure if that ends with any code but 0.
    static func run(
        _ path: String, _ words: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> (output: Data, time: Duration) {
        let process = Process()
        let given = Pipe()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = given
        process.standardOutput = output
        let start = ContinuousClock.now
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        // Its end closed the pipe. Foundation notices the end itself some fifty milliseconds later.
        let time = ContinuousClock.now - start
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(.failed, "\(path) ended with \(process.terminationStatus); its messages are above")
        }
        return (printed, time)
    }
}
