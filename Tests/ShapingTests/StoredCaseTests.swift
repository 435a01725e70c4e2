import Foundation
import Shaping
import TestSupport
import Testing
import Typography

/// The cases that the file must hold. After a change that is meant, write it anew:
///
///     FORME_WRITE_FIXTURES=1 swift test --filter StoredCaseTests
@Test func `stored cases are what the fonts give today`() throws {
    var shaper = try PinnedFonts.shaper()
    let today = try Oracle.publicCases().cases.map { one in
        StoredCase(
            id: one.id, size: one.size, width: one.width,
            text: shaper.measure(one.text, style: one.style))
    }
    if ProcessInfo.processInfo.environment["FORME_WRITE_FIXTURES"] != nil {
        try Data(today.flatMap(\.bytes)).write(to: StoredCase.file)
    }
    let stored = Dictionary(uniqueKeysWithValues: try StoredCase.all().map { ($0.id, $0) })
    let others = today.filter { stored[$0.id] != $0 }.map(\.id)
    #expect(others.isEmpty, "\(others.count) differ; see above how to write them anew")
}
