import FormeLayout
import Foundation
import JSON
import MessageLayout
import Record
import TestSupport
import Testing
import Typography
import Wire

@Test(arguments: Kinds.styles, Kinds.names)
func `a record holds the layouts of every kind, and the decoder of the documentation reads them`(
    style: String, kind: String
) throws {
    var engine = try Kinds.engine(Kinds.style(style))
    var encoder = RecordEncoder()
    for (number, message) in try Kinds.messages(kind).enumerated() {
        let sheet = try engine.layOut(JSONReader(message))
        var bytes: [UInt8] = []
        try encoder.encode(sheet, into: &bytes)
        let read = try LayoutRecord(bytes).sheet()
        let expected = ToldRecord(sheet)
        #expect(read.skeleton == sheet.skeleton && read.reaches == sheet.reaches)
        #expect(ToldRecord(read) == expected, "message \(number)")
        // Another process, so not for all of them.
        if number == 0 { #expect(try ToldRecord(decodedFrom: Data(bytes)) == expected) }
    }
}

@Test(arguments: Kinds.styles, Kinds.names)
func `a row of every kind that is written of its sheet is the one that is cut from its record`(
    style: String, kind: String
) throws {
    var engine = try Kinds.engine(Kinds.style(style))
    var encoder = RecordEncoder()
    var cutter = RecordCutter()
    var writer = RowWriter()
    for (number, message) in try Kinds.messages(kind).enumerated() {
        let sheet = try engine.layOut(JSONReader(message))
        #expect(try rowsAreCut(of: sheet, &encoder, &cutter, &writer), "message \(number)")
    }
}

extension LayoutSheet {
    /// The same of which nobody says which lines end alike.
    fileprivate var withoutBreaks: LayoutSheet {
        var own = self
        own.blocks = blocks.map {
            Block(
                fontSize: $0.fontSize, pitch: $0.pitch, ascent: $0.ascent, lines: $0.lines, spans: $0.spans,
                firstLine: $0.firstLine)
        }
        return own
    }
}

@Test(arguments: Kinds.styles) func `what is said of lines that end alike decides no byte of a record`(style: String)
    throws
{
    var engine = try Kinds.engine(Kinds.style(style))
    var encoder = RecordEncoder()
    var isSaid = false
    for kind in Kinds.fixtures {
        for message in try Kinds.messages(kind) {
            let sheet = try engine.layOut(JSONReader(message))
            isSaid = isSaid || sheet.blocks.contains { $0.breaks >= 0 }
            var (said, unsaid): ([UInt8], [UInt8]) = ([], [])
            try encoder.encode(sheet, into: &said)
            try encoder.encode(sheet.withoutBreaks, into: &unsaid)
            #expect(said == unsaid, "\(kind)")
        }
    }
    #expect(isSaid)
}
