package import Wire

/// The intake of an edition and its fonts by a host that has neither: file by file, each in pieces of which few are
/// on their way, and nothing longer than it was said to be.
///
/// ```text
///  seeking ──offer──▶ fetching: edition, then each font that is not there ──▶ complete
///     ▲                  │ nothing came for two seconds: from the last byte on, once more
///     └── refused ───────┘ a piece too many, a file with another hash, more than there is room for
/// ```
package struct EditionIntake: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// An offer, and the fonts of it that are here.
        case offered(EditionOffer, has: Set<FontHash>)
        case piece(EditionPart, [UInt8])
        case tick(Moment)
    }

    package enum Effect: Equatable, Sendable {
        case say(WorkerWord)
        /// Goes to the end of the file; the first piece begins it.
        case append(EditionPart.File, [UInt8], isFirst: Bool)
        /// All of the file is here: its hash is to be looked at.
        case finish(EditionPart.File)
        case refuse(Objection)
        case complete(EditionOffer)
    }

    private var now = Moment.start
    private var heard = Moment.start
    private var offer: EditionOffer?
    /// The files that are still to come, the file at hand first.
    private var missing: [Missing] = []
    private var (received, asked) = (0, 0)
    /// The most bytes of an edition and all its fonts that are taken.
    private let limit: Int

    private static let patience: Duration = .seconds(2)
    /// The most pieces that are asked for and have not come.
    private static let credits = 4

    private struct Missing: Equatable, Sendable {
        var file: EditionPart.File
        var bytes: UInt32
    }

    /// - Parameter limit: the most bytes of an edition and all its fonts.
    package init(limit: Int) { self.limit = limit }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .offered(let offer, let present): return begin(offer, present)
        case .piece(let part, let bytes): return take(part, bytes)
        case .tick(let time):
            now = max(now, time)
            guard let offer, let file = missing.first, heard + Self.patience <= now else { return [] }
            (heard, asked) = (now, received)
            return ask(for: file.file, of: offer)
        }
    }

    private mutating func begin(_ offer: EditionOffer, _ present: Set<FontHash>) -> [Effect] {
        guard self.offer != offer else { return [] }
        let total = offer.fonts.reduce(Int(offer.bytes)) { $0 + Int($1.bytes) }
        guard total <= limit else {
            return refuse(
                "the edition \(offer.edition) and its fonts have \(total >> 20) MB, and \(limit >> 20) MB are kept here; allow more with "
                    + "--cache-megabytes")
        }
        guard offer.bytes <= Limits.edition else {
            return refuse("the edition \(offer.edition) has \(offer.bytes) bytes, and may have \(Limits.edition)")
        }
        self.offer = offer
        missing = [Missing(file: .edition, bytes: offer.bytes)]
        for font in offer.fonts where !present.contains(font.hash) {
            missing.append(Missing(file: .font(font.hash), bytes: font.bytes))
        }
        (received, asked, heard) = (0, 0, now)
        return proceed()
    }

    private mutating func take(_ part: EditionPart, _ bytes: [UInt8]) -> [Effect] {
        // A piece that came twice, or of a file that is not fetched any more.
        guard let offer, let file = missing.first, part.edition == offer.edition, part.file == file.file,
            part.offset == received, !bytes.isEmpty
        else { return [] }
        guard received + bytes.count <= file.bytes else {
            return refuse(
                "a file of the edition \(offer.edition) is longer than its coordinator said: \(file.bytes) bytes")
        }
        let isFirst = received == 0
        received += bytes.count
        heard = now
        return [.append(file.file, bytes, isFirst: isFirst)] + proceed()
    }

    /// Goes on to the next file where one is whole, and asks for more pieces as far as there are credits.
    private mutating func proceed() -> [Effect] {
        var effects: [Effect] = []
        while let offer, let file = missing.first {
            guard received == Int(file.bytes) else { return effects + ask(for: file.file, of: offer) }
            effects.append(.finish(file.file))
            missing.removeFirst()
            (received, asked) = (0, 0)
            if missing.isEmpty { effects.append(.complete(offer)) }
        }
        return effects
    }

    private mutating func ask(for file: EditionPart.File, of offer: EditionOffer) -> [Effect] {
        var effects: [Effect] = []
        let end = min(Int(missing[0].bytes), received + Self.credits * Limits.piece)
        while asked < end {
            effects.append(.say(.fetch(EditionPart(edition: offer.edition, file: file, offset: UInt32(asked)))))
            asked = min(end, asked + Limits.piece)
        }
        return effects
    }

    private mutating func refuse(_ words: String) -> [Effect] {
        (offer, missing) = (nil, [])
        return [.refuse(Objection(words))]
    }
}
