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
        // The decoder is another process, so it reads the first record alone.
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
