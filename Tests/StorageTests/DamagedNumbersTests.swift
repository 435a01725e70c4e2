import Names
import Pool
import Testing
import Wire

@testable import Storage

/// The highest number, as a varint.
private let highest: [UInt8] = Array(repeating: 0xFF, count: 9) + [1]

@Test func `numbers in damaged bytes are refused, or lead nowhere, and trap nothing`() throws {
    let place = SQLiteJournal.ProgressPlace(edition: try EditionID("e1"), shard: Shard(0))
    // All jobs up to the highest number are done, and five behind it.
    #expect(throws: (any Error).self) { _ = try ShardProgress(place, decoding: highest + [0, 0, 1, 5, 5]) }
    let key = CardKey(MessageKey(try ConversationID("c"), try MessageID("m"))).bytes
    let message = highest + [UInt8(key.count)] + key
    let furthest: [UInt8] = Array(repeating: 0xFF, count: 8) + [0x7F, UInt8(key.count)] + key
    #expect(try FreshList.messages(furthest + furthest + message).count == 3)
}

@Test func `a body at a place far behind the log is not there`() throws {
    let diary = try Diary()
    var journal = try diary.open()
    try Diary.post(3, to: &journal)
    var index = LogIndex(in: diary.folder.file(SegmentName.folder))
    try index.refresh()
    let found = try index.bodies(at: [LogPosition(1), LogPosition(.max)])
    #expect(found.keys.map(\.number) == [1])
}
