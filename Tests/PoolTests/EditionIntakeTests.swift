import Pool
import Testing
import Wire

private let edition = try! EditionID("aa")
private let font = FontHash(String(repeating: "0f", count: 32))!
private let other = FontHash(String(repeating: "1e", count: 32))!

private func offer(_ bytes: UInt32, _ fonts: (FontHash, UInt32)...) -> EditionOffer {
    EditionOffer(edition: edition, bytes: bytes, fonts: fonts.map { .init(hash: $0.0, bytes: $0.1) })
}

private func part(_ file: EditionPart.File, _ offset: Int) -> EditionPart {
    EditionPart(edition: edition, file: file, offset: UInt32(offset))
}

extension [EditionIntake.Effect] {
    fileprivate var asked: [EditionPart] {
        compactMap { if case .say(.fetch(let part)) = $0 { part } else { nil } }
    }
    fileprivate var refused: Objection? {
        for effect in self { if case .refuse(let objection) = effect { return objection } }
        return nil
    }
}

/// Answers every question as a coordinator does.
private func fetch(_ intake: inout EditionIntake, _ first: [EditionIntake.Effect], _ offer: EditionOffer) -> [String] {
    var said: [String] = []
    var waiting = first
    while !waiting.isEmpty {
        let effect = waiting.removeFirst()
        switch effect {
        case .say(.fetch(let part)):
            let size: UInt32 =
                switch part.file {
                case .edition: offer.bytes
                case .font(let hash): offer.fonts.first { $0.hash == hash }!.bytes
                }
            let count = min(Limits.piece, Int(size - part.offset))
            waiting += intake.handle(.piece(part, [UInt8](repeating: 7, count: count)))
        case .say: said.append("said")
        case .append(let file, let bytes, let isFirst):
            said.append("\(file == .edition ? "e" : "f") \(bytes.count) \(isFirst)")
        case .finish(let file): said.append(file == .edition ? "edition" : "font")
        case .refuse(let objection): said.append(objection.text)
        case .complete: said.append("complete")
        }
    }
    return said
}

@Test func `an edition comes before its fonts, file by file, and what is there is not fetched`() {
    var intake = EditionIntake(limit: 1 << 20)
    let offer = offer(200_000, (font, 150_000), (other, 10))
    let said = fetch(&intake, intake.handle(.offered(offer, has: [other])), offer)
    #expect(
        said == [
            "e 131072 true", "e 68928 false", "edition", "f 131072 true", "f 18928 false", "font", "complete",
        ])
}

@Test func `no more than four pieces are on their way at once`() {
    var intake = EditionIntake(limit: 64 << 20)
    let first = intake.handle(.offered(offer(16 << 20), has: []))
    #expect(first.asked.map(\.offset) == [0, 131_072, 262_144, 393_216])
    let next = intake.handle(.piece(part(.edition, 0), [UInt8](repeating: 1, count: Limits.piece)))
    #expect(next.asked.map(\.offset) == [524_288])
}

@Test func `what is longer than it was said to be is refused, and not kept`() {
    var intake = EditionIntake(limit: 1 << 20)
    _ = intake.handle(.offered(offer(10), has: []))
    let effects = intake.handle(.piece(part(.edition, 0), [UInt8](repeating: 1, count: 11)))
    #expect(effects.refused?.text.contains("longer than its coordinator said") == true)
    #expect(!effects.contains { if case .append = $0 { true } else { false } })
    // Nothing of it is taken any more.
    #expect(intake.handle(.piece(part(.edition, 0), [1])).isEmpty)
}

@Test func `an edition with more fonts than may be kept is refused before a byte of it is fetched`() {
    var intake = EditionIntake(limit: 1000)
    let effects = intake.handle(.offered(offer(500, (font, 501)), has: []))
    #expect(effects.asked.isEmpty && effects.refused?.text.contains("--cache-megabytes") == true)
    var large = EditionIntake(limit: 1 << 30)
    #expect(large.handle(.offered(offer(UInt32(Limits.edition + 1)), has: [])).refused != nil)
}

@Test func `a piece that is lost is asked for again, and one that comes twice is taken once`() {
    var intake = EditionIntake(limit: 1 << 20)
    _ = intake.handle(.tick(.start))
    _ = intake.handle(.offered(offer(UInt32(2 * Limits.piece)), has: []))
    let piece = [UInt8](repeating: 1, count: Limits.piece)
    #expect(intake.handle(.piece(part(.edition, Limits.piece), piece)).isEmpty)
    #expect(intake.handle(.tick(.start + .seconds(1))).isEmpty)
    #expect(intake.handle(.tick(.start + .seconds(3))).asked.map(\.offset) == [0, UInt32(Limits.piece)])
    _ = intake.handle(.piece(part(.edition, 0), piece))
    #expect(intake.handle(.piece(part(.edition, 0), piece)).isEmpty)
    let last = intake.handle(.piece(part(.edition, Limits.piece), piece))
    #expect(last.contains { if case .complete = $0 { true } else { false } })
}
