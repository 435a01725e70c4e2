import FormeLayout
import Foundation
import JSON
import MessageLayout
import Record
import Shaping
import TestSupport
import Typography
import Wire

/// The styles of the project, and messages of every kind to try them with.
enum Kinds {
    static let styles = ["bubble", "flat"]

    /// Every kind that has a file.
    static let names = files(in: "config/styles/kinds", "json5")

    /// Every kind that has messages to try it with.
    static let fixtures = files(in: "Tests/MessageLayoutTests/Fixtures/kinds", "jsonl")

    private static func files(in folder: String, _ ending: String) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: Project.file(folder).path)
        return (files ?? []).filter { $0.hasSuffix(".\(ending)") }
            .map { String($0.dropLast(ending.count + 1)) }.sorted()
    }

    static func messages(_ kind: String) throws -> [JSONValue] {
        try lines(kind).map { try JSONValue.parse(Array($0.utf8)) }
    }

    /// The messages of a kind as bytes.
    static func texts(_ kind: String) throws -> [[UInt8]] {
        try lines(kind).map { Array($0.utf8) }
    }

    private static func lines(_ kind: String) throws -> [Substring] {
        try Project.lines(of: Project.file("Tests/MessageLayoutTests/Fixtures/kinds/\(kind).jsonl"))
    }

    /// The records that a worker stores of the messages of a kind.
    static func records(_ kind: String, _ style: String) throws -> [[UInt8]] {
        var engine = try engine(self.style(style))
        var encoder = RecordEncoder()
        var records: [[UInt8]] = []
        for message in try messages(kind) {
            var record: [UInt8] = []
            try encoder.encode(engine.layOut(JSONReader(message)), into: &record)
            records.append(record)
        }
        return records
    }

    /// A style, which is opened once for all tests.
    static func style(_ name: String) throws -> StyleSheet { try opened[name]!.get() }

    private static let opened = Dictionary(
        uniqueKeysWithValues: styles.map { name in
            (name, Result { try StyleFiles.open(Project.file("config/styles/\(name).json5").path) })
        })

    private static let fonts = Result {
        let path = Project.file("config/fonts.json5").path
        return try FontList(FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path))
    }

    /// The fonts with their identities, as a service opens them.
    static func fontList() throws -> FontList { try FontCatalog().open(fonts.get().families) }

    static func engine(_ style: StyleSheet, targets: [Target]? = nil) throws -> LayoutEngine {
        try LayoutEngine(style: style, fonts: fonts.get(), targets: targets)
    }
}

/// Lays out in the made-up font: every letter is as wide as any other.
struct MonospacedLayout: ~Copyable {
    private var composer: Composer
    private let letter: Character?

    /// Makes a layout. A `letter` stands for all others: a Hebrew one turns every text around.
    init(_ style: StyleSheet, targets: [Target]? = nil, letter: Character? = nil) {
        self.letter = letter
        composer = Composer(style, targets: targets) { content, _, result in
            result = MonospacedLayout.measured(content, letter)
        }
    }

    mutating func layOut(_ message: JSONValue) throws -> LayoutSheet {
        let letter = letter
        var sheet = LayoutSheet()
        composer.layOut(try CheckedMessage(JSONReader(message), of: composer.style), into: &sheet) {
            content, _, result in
            result = MonospacedLayout.measured(content, letter)
        }
        return sheet
    }

    /// The stored texts of the message that was laid out last, so that other screens can do without the message.
    var stored: [UInt8] {
        var bytes: [UInt8] = []
        composer.encodeMeasuredTexts(into: &bytes)
        return bytes
    }

    private static func measured(_ content: PlannedText.Content, _ letter: Character?) -> MeasuredText {
        let units: [UInt16] =
            switch content {
            case .plain(let text): Array(text.utf16)
            case .rich(let rich): rich.units
            }
        var text = String(decoding: units, as: UTF16.self)
        if let letter { text = String(text.map { $0.isWhitespace ? $0 : letter }) }
        return .monospaced(text)
    }
}

extension LayoutSheet {
    /// Calls `body` once for each different layout, with a name for failures.
    func forEachModel(_ body: (String, LayoutModel) throws -> Void) rethrows {
        var seen: Set<LayoutModel> = []
        for place in places {
            let model = model(target: place.target, variant: place.variant, state: place.state)
            guard seen.insert(model).inserted else { continue }
            let (row, scale) = (targets[place.target].rowPixels, targets[place.target].scale.thousandths)
            try body("\(row) px at \(scale), variant \(place.variant), state \(place.state)", model)
        }
    }
}
