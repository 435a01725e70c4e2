import Conversation
import Foundation
import Names
import TestSupport
import Testing
import Wire

@testable import FormeClient

@Test func `a window that is kept stays as it was, whatever becomes of its conversation`() async throws {
    let stage = try Stage(rows: 200)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    let kept = try await open.wait { $0.isWhole }.window
    let (rows, extent, loaded) = (kept.indices.map { kept[$0] }, kept.extent, kept.loaded)
    try await open.page(.older)
    await stage.change([
        .put(try Stage.row(201)), .put(try Stage.row(120, height: 400), reason: .edit), .removed(MessageNumber(180)),
    ])
    let now = try await open.wait { $0.window.index(ofMessage: "m201") != nil }.window
    #expect(now.count == 100 && now.loaded != loaded && now.extent != extent)
    #expect(kept.indices.map { kept[$0] } == rows && kept.extent == extent && kept.loaded == loaded)
    #expect(kept.rows(in: rows[7].range) == 7..<8)
}

private let dates: [(Date, Int64)] = [
    (Date(timeIntervalSince1970: 1.0006), 1001), (.distantPast, -62_135_769_600_000),
    (.distantFuture, 64_092_211_200_000), (Date(timeIntervalSince1970: .infinity), Limits.milliseconds.upperBound),
    (Date(timeIntervalSince1970: -1e300), Limits.milliseconds.lowerBound),
]

@Test(arguments: dates)
func `a date is told to the millisecond, and one beyond every calendar as the last that can be told`(
    date: Date, milliseconds: Int64
) throws {
    let place = try Place.date(date).wire
    #expect(place == .date(Timestamp(milliseconds: milliseconds)))
}
