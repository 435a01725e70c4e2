import Bytes
import Conversation
import Record
import Storage
package import Wire

/// A word that several clients are told: its bytes are made once, in each form that somebody needs.
package final class ToldWord {
    private enum Source {
        case word(GatewayWord, request: RequestID)
        case frame([UInt8])
    }

    private let source: Source

    /// - Parameter request: the request that it answers, if any in particular.
    package init(_ word: GatewayWord, request: RequestID = .none) { source = .word(word, request: request) }

    /// A word that was told before, with the request that it answers now.
    init(frame: [UInt8]) { source = .frame(frame) }

    /// The request that it answers; none for a word that comes unasked.
    var request: RequestID {
        switch source {
        case .word(_, let request): request
        case .frame(let frame): Framed<GatewayWord>.request(of: frame) ?? .none
        }
    }

    package private(set) lazy var frame =
        switch source {
        case .word(let word, let request): Framed(word, request: request).encoded()
        case .frame(let frame): frame
        }

    package var word: GatewayWord {
        switch source {
        case .word(let word, _): return word
        case .frame(let frame):
            do throws(ByteError) {
                return try Framed<GatewayWord>(decoding: frame).word
            } catch {
                return .unreadable(error.reason)
            }
        }
    }

    /// The frame behind its length, as a stream has it.
    private(set) lazy var block = {
        var writer = ByteWriter()
        writer.block(frame)
        return writer.bytes
    }()

    /// Whether it takes a window away.
    var isRefusal: Bool { if case .refused = word { true } else { false } }

    /// See `GatewayWord.event`.
    var event: [UInt8] {
        let event = written ?? word.event
        written = event
        return event
    }

    private var written: [UInt8]?
    private lazy var isLong = word.isLong

    /// Whether its event is still to be written, and that takes long.
    var takesLong: Bool { written == nil && isLong }

    /// Takes its event, as it was written elsewhere.
    func take(_ event: [UInt8]) { written = event }
}

/// The words that were told of one timeline in one tick, by the rows that the clients held.
struct ToldMemory {
    private struct Holding: Hashable {
        var window: WindowID
        var range: Range<Int>
        var cursor: WindowCursor
        /// The height of the screen; nil where no text is so long that it matters.
        var screen: Int32?
        var wantsBodies: Bool
        var wantsMessages: Bool
        var wantsFonts: Bool
        var wantsEditions: Bool
        var rowVersion: RowVersion

        init(_ seat: Seat, _ before: Window) {
            (window, range, cursor) = (before.id, before.range, before.cursor)
            screen = seat.shared.hasLongText(for: before.screen) ? before.screen : nil
            (wantsBodies, wantsMessages, wantsFonts) = (seat.wantsBodies, seat.wantsMessages, seat.wantsFonts)
            (wantsEditions, rowVersion) = (seat.wantsEditions, seat.rowVersion)
        }
    }

    private var known: [Holding: ToldWord] = [:]

    /// - Parameter before: the window as its client holds it. Where something is anchored, nobody else hears the same.
    /// - Returns: nil where there is more than can be told.
    mutating func word(
        for seat: Seat, _ before: Window, _ make: () throws(StorageError) -> GatewayWord?
    ) throws(StorageError) -> ToldWord? {
        if before.anchors.isEmpty, let known = known[Holding(seat, before)] { return known }
        guard let said = try make() else { return nil }
        let word = ToldWord(said)
        // Asked again: whether the screen matters may be known only since the word was made.
        if before.anchors.isEmpty { known[Holding(seat, before)] = word }
        return word
    }
}
