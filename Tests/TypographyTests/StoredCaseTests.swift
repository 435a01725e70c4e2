import TestSupport
import Testing
import Typography

@Test func `stored texts of the oracle break as they did when they were measured`() throws {
    let cases = try StoredCase.all()
    #expect(cases.count > 2900)
    for one in cases {
        let text = try MeasuredText(decoding: one.text)
        #expect(StoredCase.checksum(of: text, size: one.size, width: one.width) == one.checksum, "\(one.id)")
        #expect(text.encoded() == one.text, "\(one.id)")
    }
}

@Test func `stored texts of the oracle break by both roads alike`() throws {
    for one in try StoredCase.all() {
        let text = try MeasuredText(decoding: one.text)
        let other = StoredCase.checksum(of: text.withoutStops, size: one.size, width: one.width)
        #expect(other == one.checksum, "\(one.id)")
    }
}

@Test func `stored texts of the oracle keep their breaks in all valid boxes, and in no other`() throws {
    for (i, one) in try StoredCase.all().enumerated() where i % 3 == 0 {
        let text = try MeasuredText(decoding: one.text)
        let breaker = LineBreaker(width: one.width, size: one.size, scale: .three)
        let lines = breaker.lines(of: text)
        let ends = lines.map(\.end)
        let boxes = breaker.validBoxes(for: lines, of: text)
        #expect(boxes.contains(breaker.box), "\(one.id)")
        for box in [boxes.lowerBound, boxes.upperBound] {
            #expect(breaker.withBox(box).lines(of: text).map(\.end) == ends, "\(one.id)")
        }
        let outside = [boxes.lowerBound - 1, boxes.upperBound + 1].filter { 0...LineBreaker.widestBox ~= $0 }
        for box in outside { #expect(breaker.withBox(box).lines(of: text).map(\.end) != ends, "\(one.id)") }
    }
}
