import Record
import TestSupport
import Testing
import Typography

/// Thirteen targets and three variants of the oracle's texts, laid out by a stand-in for the solver.
@Test func `most messages take half a kilobyte, and hardly any four`() throws {
    var encoder = RecordEncoder()
    let texts = try StoredCase.all().enumerated().filter { $0.offset % 8 == 0 }.map(\.element.text)
    let sizes = try texts.map { try encoder.bytes(of: BubbleComposer.sheet(of: MeasuredText(decoding: $0))).count }
        .sorted()
    #expect(sizes[sizes.count / 2] <= 450)
    #expect(sizes[sizes.count * 99 / 100] <= 4096)
}
