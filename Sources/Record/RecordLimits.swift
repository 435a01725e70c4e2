import Bytes
import MessageLayout

/// The limits of a layout record. Decoding costs at most a multiple of its bytes, and these bound the multiple.
package enum RecordLimits {
    package static let record = 1 << 20
    /// A row cut from it.
    package static let row = record
    /// A block of rows.
    package static let block = record
    /// All its rows together, where the whole record is decoded.
    package static let rows = 16 * row
    package static let nodes = 1024
    package static let texts = 1024
    package static let words = 4096
    /// Elements of lists that paths begin at.
    package static let elements = 1024
    package static let targets = 64
    /// Places of nodes.
    package static let places = 65535
    package static let variants = 8
    /// Blocks in maps: one for each thing that is ever filled, variant, state and class of targets.
    package static let blocks = 1 << 20
    package static let states = 2

    static func check(_ sheet: LayoutSheet) throws(ByteError) {
        try check(sheet.skeleton.nodes.count, atMost: nodes, of: "nodes")
        try check(sheet.skeleton.texts.count, atMost: texts, of: "texts")
        try check(sheet.skeleton.words.count, atMost: words, of: "words")
        if let drawing = sheet.skeleton.drawing {
            try check(drawing.words.count, atMost: words, of: "words of paths")
            try check(drawing.elements.count, atMost: elements, of: "elements")
        }
        try check(sheet.targets.count, atMost: targets, of: "targets")
        try check(Int(sheet.variantCount), atMost: variants, of: "variants")
        try check(Int(sheet.stateCount), atMost: states, of: "states")
    }

    private static func check(_ count: Int, atMost limit: Int, of field: ByteError.Field) throws(ByteError) {
        guard count <= limit else { throw .tooLong(count, limit: limit, of: field) }
    }
}
