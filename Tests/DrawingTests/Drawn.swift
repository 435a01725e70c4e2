import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import TestSupport
import Typography
import Wire

@testable import Drawing

/// Messages of every kind, drawn as `forme layout` draws them.
enum Drawn {
    static let styles = ["bubble", "flat"]
    static let kinds = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    private static let folder = Project.file("Tests/MessageLayoutTests/Fixtures/kinds")

    static func messages(_ kind: String) throws -> [JSONValue] {
        try Project.lines(of: folder.appending(path: "\(kind).jsonl")).map { try JSONValue.parse(Array($0.utf8)) }
    }

    static let targets = ["375@3", "320@2,mirrored", "640@1"]

    /// A style, and the engine that lays out in it.
    struct Studio: ~Copyable {
        let style: StyleSheet
        var engine: LayoutEngine

        init(_ name: String) throws {
            let screens = [(375, 3000, false), (320, 2000, true), (640, 1000, false)].map { width, scale, isMirrored in
                Target(width: .points(Int32(width)), scale: Scale(thousandths: Int32(scale)), isMirrored: isMirrored)
            }
            try self.init(name, on: screens)
        }

        init(_ name: String, on screens: [Target]) throws {
            let style = try StyleFiles.open(Project.file("config/styles/\(name).json5").path)
            let engine = try LayoutEngine(style: style, fonts: fonts.get(), targets: screens)
            // Both are set last: an initializer that throws must not leave a value behind that cannot be copied.
            self.style = style
            self.engine = engine
        }

        /// The pictures of a message on each target, in each variant and state.
        mutating func pictures(of message: JSONValue) throws -> [RowPicture] {
            let sheet = try engine.layOut(JSONReader(message))
            let said = Said(body: message, milliseconds: Said.sampleTime)
            return try sheet.targets.indices.flatMap { target in
                try (0..<Int(sheet.variantCount)).flatMap { variant in
                    try (0..<Int(sheet.stateCount)).map { state in
                        try RowPicture(
                            sheet, of: message["kind"]?.string ?? "", in: style, said, target: target, variant: variant,
                            state: state)
                    }
                }
            }
        }
    }

    private static let fonts = Result {
        let path = Project.file("config/fonts.json5").path
        let list = Array(FileManager.default.contents(atPath: path) ?? Data())
        return try FontList(FontConfiguration.families(list, from: path))
    }
}
