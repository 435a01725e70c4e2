import Record
import TestSupport
import Testing
import Typography

/// All targets and three variants of the oracle's texts, laid out by a stand-in for the solver; no stem has its places.
@Test func `most messages take less than 300 bytes, and hardly any one and a half thousand`() throws {
    var encoder = RecordEncoder()
    let texts = try StoredCase.all().enumerated().filter { $0.offset % 8 == 0 }.map(\.element.text)
    let sizes = try texts.map { try encoder.bytes(of: BubbleComposer.sheet(of: MeasuredText(decoding: $0))).count }
        .sorted()
    #expect(sizes[sizes.count / 2] < 300)
    #expect(sizes[sizes.count * 99 / 100] <= 1536)
}
