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

@Test func `stored texts of the oracle stand in a column as the texts do`() throws {
    let cases = try StoredCase.all()
    var (stored, measured) = (StopsColumn(), StopsColumn())
    var reader = StopsReader()
    // Heads of texts are known from the second round on.
    for _ in 0..<2 {
        for one in cases {
            try stored.append(stored: one.text.span, &reader)
            measured.append(try MeasuredText(decoding: one.text))
            let isKept = stored.isStored(stored.count - 1, as: one.text.span)
            #expect(isKept)
        }
    }
    #expect(stored == measured)
    stored.removeAll()
    #expect(stored == StopsColumn())
}

@Test func `stored texts of the oracle that were changed stand in a column as the texts would, or nowhere`() throws {
    var random = SplitMix64(seed: 8)
    var reader = StopsReader()
    for one in try StoredCase.all() {
        var (stored, measured) = (StopsColumn(), StopsColumn())
        try stored.append(stored: one.text.span, &reader)
        for _ in 0..<4 {
            var bytes = one.text
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(.random(in: 0...2, using: &random)) }
            (stored, measured) = (StopsColumn(), StopsColumn())
            let text = try? MeasuredText(decoding: bytes)
            let isRead = (try? stored.append(stored: bytes.span, &reader)) != nil
            #expect(isRead == (text != nil), "\(one.id)")
            guard let text, text.encoded() == bytes else { continue }
            measured.append(text)
            #expect(stored == measured, "\(one.id)")
        }
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
