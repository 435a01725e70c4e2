import Conversation
import Storage
package import Wire

/// Something that several clients are told: its bytes are made once, by whoever needs them first.
package final class ToldWord {
    package let word: GatewayWord
    private var encoded: [UInt8]?

    package init(_ word: GatewayWord) { self.word = word }

    /// A frame that answers nothing in particular.
    package var frame: [UInt8] {
        if let encoded { return encoded }
        let bytes = Framed(word).encoded()
        encoded = bytes
        return bytes
    }
}

/// What was told of one timeline in one tick, by what those had who heard it.
struct ToldMemory {
    private struct Holding: Hashable {
        var window: WindowID
        var range: Range<Int>
        var cursor: WindowCursor
        var wantsBodies: Bool
        var wantsMessages: Bool
    }

    private var known: [Holding: ToldWord] = [:]

    /// - Parameter before: the window as its client holds it. Where something is anchored, nobody else hears the same.
    mutating func word(
        for seat: Seat, _ before: Window, _ make: () throws(StorageError) -> GatewayWord
    ) throws(StorageError) -> ToldWord {
        let holding = Holding(
            window: before.id, range: before.range, cursor: before.cursor, wantsBodies: seat.wantsBodies,
            wantsMessages: seat.wantsMessages)
        if before.anchors.isEmpty, let known = known[holding] { return known }
        let word = ToldWord(try make())
        if before.anchors.isEmpty { known[holding] = word }
        return word
    }
}
