import Foundation
import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing

/// Blocks as they were sealed once. After a change that is meant, write them anew:
///
///     FORME_WRITE_FIXTURES=1 swift test --filter RecordTests.blocks
@Test(arguments: [3, 8, 21] as [UInt64])
func `blocks of today are those that were stored`(seed: UInt64) throws {
    let bytes = try block(seed).bytes
    if ProcessInfo.processInfo.environment["FORME_WRITE_FIXTURES"] != nil { try Data(bytes).write(to: file(seed)) }
    #expect([UInt8](try Data(contentsOf: file(seed))) == bytes)
}

@Test(arguments: [3, 8, 21] as [UInt64])
func `a decoder of blocks written from the documentation alone reads what was stored`(seed: UInt64) throws {
    let process = Process()
    let (input, output) = (try FileHandle(forReadingFrom: file(seed)), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Project.file("Tests/RecordTests/decode_block.py").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(try JSONDecoder().decode([ToldRow].self, from: text) == block(seed).rows().map(ToldRow.init))
}

private func block(_ seed: UInt64) throws -> RowBlock {
    var random = SplitMix64(seed: seed)
    let (rows, targets) = try random.blockRows()
    return try RowBlock(sealing: rows, for: targets)
}

private func file(_ seed: UInt64) -> URL { Project.file("Tests/RecordTests/Fixtures/rows-\(seed).block") }

/// A row, as the decoder tells it.
private struct ToldRow: Codable, Equatable {
    var number: Int64
    var message: String
    var order: Int64
    var sender: String
    var time: Int64
    var template: String
    var joinsSeries: Bool
    var hasFailed: Bool
    var heights: [[Int32]]

    init(_ row: SealedRow) {
        (number, message, order) = (row.number.number, row.message.text, row.order)
        (sender, time) = (row.sender.text, row.time.milliseconds)
        (template, joinsSeries, hasFailed) = (row.look.template, row.look.joinsSeries, row.look.hasFailed)
        heights = row.heights.map { [$0.own, $0.other, $0.otherWithName] }
    }
}
