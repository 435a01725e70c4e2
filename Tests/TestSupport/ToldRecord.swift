package import Foundation
package import MessageLayout
import Typography

/// All layouts of a record, as JSON tells them.
package struct ToldRecord: Codable, Equatable {
    /// Width in 1/64 point, scale, text scale, mirrored.
    var targets: [[Int32]]
    var layouts: [Layout]
    /// Nil for a record of version 1.
    var drawing: Drawing?

    package init(decodedFrom record: Data) throws {
        self = try JSONDecoder().decode(ToldRecord.self, from: Self.told(record))
    }

    /// The output of the decoder that was written from the documentation alone.
    static func told(_ bytes: Data, _ words: [String] = []) throws -> Data {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Project.file("Tests/RecordTests/decode_record.py").path] + words
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: bytes)
        try input.fileHandleForWriting.close()
        let told = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return told
    }

    struct Drawing: Codable, Equatable {
        /// The weight, slant, pitch and path of each text.
        var texts: [[Word]]
        /// The subject of each node's action, where that is not the node's source.
        var abouts: [String]
        /// A text, and its words.
        var generated: [[Word]]
    }

    /// A number or a text, as JSON has them beside each other.
    enum Word: Codable, Equatable {
        case number(Int32)
        case text(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            do { self = .number(try value.decode(Int32.self)) } catch { self = .text(try value.decode(String.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .number(let number): try value.encode(number)
            case .text(let text): try value.encode(text)
            }
        }
    }

    struct Layout: Codable, Equatable {
        var target: Int
        var variant: Int
        var state: Int
        var size: [Int32]
        var rows: [Int32]
        var stamp: UInt8
        var natural: Int32
        var nodes: [Node?]
    }

    struct Node: Codable, Equatable {
        var frame: [Int32]
        var radius: Int32
        var fill: [Int32]
        /// Size, pitch, ascent.
        var font: [Int32]
        var lines: [[Int32]]
        var spans: [[Int32]]
        var bars: [UInt8]
    }

    package init(_ sheet: LayoutSheet) {
        targets = sheet.targets.map {
            [$0.width.raw, $0.scale.thousandths, $0.textScale.percent, $0.isMirrored ? 1 : 0]
        }
        drawing = sheet.skeleton.drawing.map(Drawing.init)
        layouts = sheet.places.map { place in
            let model = sheet.model(target: place.target, variant: place.variant, state: place.state)
            return Layout(
                target: place.target, variant: place.variant, state: place.state,
                size: [model.size.width, model.size.height], rows: [model.reach.narrowest, model.reach.widest],
                stamp: model.stamp.rawValue, natural: model.reach.naturalWidth,
                nodes: model.placements.map { $0.isPresent ? Node($0, of: model) : nil })
        }
    }
}

extension ToldRecord.Drawing {
    fileprivate init(_ drawing: Skeleton.Drawing) {
        texts = drawing.texts.map { text in
            let face = text.face
            return [
                .number(Int32(face.weight)), .number(face.isItalic ? 1 : 0), .number(face.isMonospaced ? 1 : 0),
                .text(drawing.text(of: text.path)),
            ]
        }
        abouts = drawing.subjects.map(drawing.text(of:))
        generated = drawing.generated.map { [.number($0.text), .text($0.words)] }
    }
}

extension ToldRecord.Node {
    fileprivate init(_ placement: LayoutSheet.Placement, of model: LayoutModel) {
        let frame = placement.frame
        self.frame = [frame.left, frame.top, frame.width, frame.height]
        radius = placement.radius
        fill = [placement.fill.width, placement.fill.height]
        (font, lines, spans) = ([], [], [])
        bars = placement.bars.map { model.bars[Int($0)] }
        guard placement.block >= 0 else { return }
        let block = model.blocks[Int(placement.block)]
        font = [block.fontSize, block.pitch, block.ascent]
        lines = block.lines.map {
            let line = model.lines[Int($0)]
            return [line.start, line.end, line.left, line.width, line.traits.rawValue]
        }
        spans = block.spans.map {
            let span = model.spans[Int($0)]
            return [span.entity, span.line, span.left, span.width]
        }
    }
}

extension LayoutSheet {
    /// All slots of the sheet.
    package var places: [(target: Int, variant: Int, state: Int)] {
        targets.indices.flatMap { target in
            (0..<Int(variantCount)).flatMap { variant in
                (0..<Int(stateCount)).map { (target, variant, $0) }
            }
        }
    }
}
