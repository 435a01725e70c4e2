import FormeLayout
import Foundation
import Shaping
import TestSupport
import Typography

@testable import forme

/// The fonts of `config/fonts.json5`, opened once for all tests.
enum PinnedFonts {
    static let path = Project.file("config/fonts.json5").path

    static func families() throws -> [FontFamily] {
        try FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path)
    }

    static let list = Result { try FontList(families()) }

    static func shaper(cacheBytes: Int = PieceCache.usualBytes) throws -> Shaper {
        try Shaper(fonts: list.get(), cacheBytes: cacheBytes)
    }

    /// The file of a family's first face.
    static func file(of family: String) throws -> FaceFile {
        try families().first { $0.name == family }!.faces[0]
    }
}
