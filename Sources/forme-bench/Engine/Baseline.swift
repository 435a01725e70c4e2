import Console
import Foundation
import JSON
import Shaping
import Typography

/// Another program that lays out the same texts, for comparison: the C programs in Tests/Benchmarks.
enum Baseline: String {
    case pango = "Pango"
    case harfBuzz = "HarfBuzz"

    private var program: String { "forme-baseline-\(rawValue.lowercased())" }

    /// The path beside this program, where `swift build` puts it.
    private var path: String { BuiltProgram.folder + "/" + program }

    var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Advice for a missing program.
    var advice: String {
        "\(program) is not there; deploy/bench installs what it needs and builds it (swift build -c release)"
    }

    /// Pango would take long for all of the texts, and has no cache that would profit.
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
        let output = try BuiltProgram.run(path, words + counts).output
        let document = JSONDocument(name: program, bytes: Array(output), dialect: .json)
        return try document.read { (root) throws(JSONError) in try BenchRun(root) }
    }

    private static let size = "\(TextBench.size.raw / 64)"
    private static let widths = TextBench.widths.map(String.init).joined(separator: ",")

    /// The texts, one to a line, as texts.h reads them.
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
