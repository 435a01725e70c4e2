import MessageLayout
import Storage
import TestSupport
import Testing
import Typography
import Wire

func event(_ number: Int64, body: String = "text", revision: UInt32 = 1, conversation: String = "c") throws -> Event {
    try Event(
        conversation: ConversationID(conversation), message: MessageID("m\(number)"), order: number,
        sender: SenderID("s"), time: Timestamp(milliseconds: 0), body: Array(body.utf8), revision: revision)
}

let narrow = Target(width: .points(280), scale: Scale(thousandths: 2000))
let wide = Target(width: .points(390), scale: Scale(thousandths: 3000))

/// Lays a message out as nothing but its size: as high as it is told at the narrow target, twice that at the wide one, and
/// one more for the second variant.
func row(_ event: Event, height: Int32 = 1) throws -> LayoutCache.Row {
    var sheet = LayoutSheet()
    sheet.targets = [wide, narrow]
    sheet.reaches = [.unlimited, .unlimited]
    sheet.variantCount = 2
    sheet.slots = [0, 1, 2, 3]
    let heights: [Int32] = [2 * height, 2 * height + 1, height, height + 1]
    sheet.slices = heights.map { height in
        LayoutSheet.Slice(size: PixelSize(width: 10, height: height), stamp: .none, placements: 0)
    }
    var encoder = RecordEncoder()
    var record: [UInt8] = []
    try encoder.encode(sheet, into: &record)
    return LayoutCache.Row(event: event, record: record)
}

extension LayoutReader {
    /// The rows of a page that is laid out as asked.
    func rows(_ query: Query) throws -> [StoredRow] { try #require(try page(query)).rows }
}

extension [StoredRow] {
    var heights: [Int32] { get throws { try map { try $0.model().size.height } } }
}
